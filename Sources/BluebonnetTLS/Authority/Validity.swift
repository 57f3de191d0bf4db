// SPDX-License-Identifier: MIT

/// The period of a certificate's validity, in seconds from the moment it is made.
package struct Validity: Sendable, Hashable {
  package var from: Int
  package var until: Int

  package init(from: Int, until: Int) {
    self.from = from
    self.until = until
  }

  /// From an hour ago, so that clocks may differ a little, for so many days.
  package static func days(_ count: Int) -> Validity { Validity(from: -3600, until: count * 86_400) }

  /// Ended an hour ago.
  package static let expired = Validity(from: -86_400, until: -3600)
  /// Begins in an hour.
  package static let future = Validity(from: 3600, until: 86_400)
}
