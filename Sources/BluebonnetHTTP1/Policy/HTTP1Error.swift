// SPDX-License-Identifier: MIT

/// A fault of a message, its place, and the party that made it.
public struct HTTP1Error: Error, Sendable, Hashable {
  /// The party that broke the rule.
  public enum Fault: Sendable, Hashable {
    /// The other side sent them.
    case peer
    /// The program asked an encoder or parser for something it must not do.
    case caller
  }

  /// The rule that was broken.
  public let rule: Rule
  /// The offset of the byte that broke it, counted from the first byte the parser (or encoder argument) was given.
  public let offset: Int
  /// The party that broke the rule: the peer, or the caller of this module.
  public let fault: Fault

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - rule: The rule that was broken.
  ///   - offset: The byte that broke it, counted from the first that the parser or the encoder was given.
  ///   - fault: The party that broke it; the peer by default.
  public init(_ rule: Rule, offset: Int, fault: Fault = .peer) {
    self.rule = rule
    self.offset = offset
    self.fault = fault
  }
}

extension HTTP1Error: CustomStringConvertible {
  /// One line for people and logs; it never contains a byte of the input.
  public var description: String {
    let whose = fault == .peer ? "received" : "refused to send"
    return "\(whose): \(rule.description) (byte \(offset), \(rule.section))"
  }
}
