// SPDX-License-Identifier: MIT

/// The permitted ways of asking; the bits are those of Apple's `kSecRevocation…` constants.
package struct RevocationOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt

  package init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  package static let ocsp = RevocationOptions(rawValue: 1 << 0)
  package static let lists = RevocationOptions(rawValue: 1 << 1)
  /// Lists before responders.
  package static let prefersLists = RevocationOptions(rawValue: 1 << 2)
  /// No answer is a failure.
  package static let requiresAnswer = RevocationOptions(rawValue: 1 << 3)
  /// Only answers at hand count.
  package static let staysOffline = RevocationOptions(rawValue: 1 << 4)

  private static let known: RevocationOptions = [
    .ocsp, .lists, .prefersLists, .requiresAnswer, .staysOffline,
  ]

  /// Whether there is a way to ask, and nothing in it that is not understood.
  package var isUsable: Bool { !isDisjoint(with: [.ocsp, .lists]) && isSubset(of: Self.known) }
}
