// SPDX-License-Identifier: MIT

/// The origin's actions in place of an answer: raw bytes and the ways a connection can go wrong, in order.
///
/// A script that ends without closing leaves the connection open for the next request.
public struct ScriptedReply: Sendable, Hashable {
  /// One thing to do on the connection.
  public enum Step: Sendable, Hashable {
    /// Sends these bytes as they are.
    case bytes([UInt8])
    /// Sends the pattern over and over, `count` bytes in all, or for as long as the client takes it.
    case repeating([UInt8], count: Int?)
    /// Waits for so many milliseconds before the next step.
    case pause(milliseconds: Int)
    /// Sends nothing more and waits for the client to go away.
    case hang
    /// Ends the sending direction (over TLS with a close_notify) and stays until the client goes away.
    case closeWrite
    /// Closes in order: close_notify over TLS, then the end of the stream.
    case close
    /// Ends the stream without a close_notify. On a plain connection the same as `close`.
    case abruptClose
    /// Resets the connection (TCP's RST), so that the client sees an error rather than an end.
    case reset
  }

  /// The time of a script's first step.
  public enum Moment: Sendable, Hashable {
    /// As soon as the request's head is there.
    case head
    /// Once the whole request is there.
    case request
  }

  /// The actions, in order.
  public var steps: [Step]
  /// The time of the first step.
  public var moment: Moment
  /// Whether the endpoint of the path answers after all; see ``endpoint``.
  let isEndpoint: Bool

  /// A script of these steps.
  public init(_ steps: [Step], at moment: Moment = .request) {
    self.steps = steps
    self.moment = moment
    isEndpoint = false
  }

  private init(isEndpoint: Bool) {
    steps = []
    moment = .request
    self.isEndpoint = isEndpoint
  }
}

extension ScriptedReply: ExpressibleByArrayLiteral {
  /// A script of these steps, begun when the whole request is there.
  public init(arrayLiteral steps: Step...) { self.init(steps) }
}

extension ScriptedReply {
  /// No script at all: the endpoint of the path answers. For the later turns of a script that changes.
  public static let endpoint = ScriptedReply(isEndpoint: true)
  /// Never answers, and keeps the connection open.
  public static let silence = ScriptedReply([.hang])
  /// Resets the connection instead of answering.
  public static let reset = ScriptedReply([.reset])
  /// Closes the connection instead of answering.
  public static let close = ScriptedReply([.close])
}
