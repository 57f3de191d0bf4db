// SPDX-License-Identifier: MIT

/// A fault of a handshake, a frame or a message, and the party that made it.
public struct WebSocketError: Error, Sendable, Hashable {
  /// The party that made it.
  public enum Fault: Sendable, Hashable {
    /// The other side's.
    case peer
    /// The program's that uses this module: it asked for something that must not be sent.
    case caller
    /// This machine, out of memory.
    case local
  }

  /// The rule that was broken.
  public let rule: Rule
  /// The party that has broken it.
  public let fault: Fault

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - rule: The rule that was broken.
  ///   - fault: The party that has broken it; the peer by default.
  public init(_ rule: Rule, fault: Fault = .peer) {
    self.rule = rule
    self.fault = fault
  }
}

extension WebSocketError: CustomStringConvertible {
  /// One line for people and logs; it never contains a byte of the input.
  public var description: String {
    let whose =
      switch fault {
      case .peer: "received"
      case .caller: "refused to send"
      case .local: "failed here"
      }
    return "\(whose): \(rule.description) (\(rule.section))"
  }
}
