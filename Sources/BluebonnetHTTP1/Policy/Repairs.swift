// SPDX-License-Identifier: MIT

/// The rules that a message broke and that its parser let pass, having repaired what broke them.
public struct Repairs: Sendable, Hashable {
  /// A bit for each rule.
  private var bits: UInt64 = 0

  /// Makes a set without repairs.
  public init() {}

  /// Whether nothing had to be repaired.
  public var isEmpty: Bool {
    @inline(__always) get { bits == 0 }
  }

  /// Whether something was repaired that broke `rule`.
  public func contains(_ rule: HTTP1Error.Rule) -> Bool { bits & Self.bit(rule.code) != 0 }

  /// The rules that were broken and repaired, each once.
  public var rules: [HTTP1Error.Rule] {
    HTTP1Error.Rule.Code.allCases.filter { bits & Self.bit($0) != 0 }.map(HTTP1Error.Rule.init(code:))
  }

  /// Whether something was repaired, and nothing but what broke `rule`.
  func isOnly(_ rule: HTTP1Error.Rule) -> Bool { bits == Self.bit(rule.code) }

  mutating func insert(_ rule: HTTP1Error.Rule) { bits |= Self.bit(rule.code) }

  mutating func formUnion(_ other: Repairs) { bits |= other.bits }

  private static func bit(_ code: HTTP1Error.Rule.Code) -> UInt64 { 1 &<< UInt64(code.rawValue) }
}

extension Repairs: CustomStringConvertible {
  /// The rules with their sections, separated by commas; "none" if there are none.
  public var description: String {
    isEmpty ? "none" : rules.map { "\($0.description) (\($0.section))" }.joined(separator: ", ")
  }
}
