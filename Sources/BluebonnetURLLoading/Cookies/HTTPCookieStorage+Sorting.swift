// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension HTTPCookieStorage {
  /// All cookies that have not expired, in an order of the caller's: the first comparator decides, the next one where that
  /// finds them equal, and where all do, the older cookie goes first.
  public func sortedCookies<Comparator: SortComparator>(using comparators: [Comparator]) -> [HTTPCookie]
  where Comparator.Compared == HTTPCookie {
    sorted { left, right in
      comparators.lazy.map { $0.compare(left, right) }.first { $0 != .orderedSame } ?? .orderedSame
    }
  }

  #if Foundation
    /// All cookies that have not expired, in an order of the caller's: the first descriptor decides, the next one where that
    /// finds them equal, and where all do, the older cookie goes first.
    public func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
      sorted { left, right in
        sortOrder.lazy.map { $0.compare(left, to: right) }.first { $0 != .orderedSame } ?? .orderedSame
      }
    }
  #endif

  /// Equal ones stay in their order.
  private func sorted(_ compare: (HTTPCookie, HTTPCookie) -> ComparisonResult) -> [HTTPCookie] {
    (cookies ?? []).enumerated().sorted { left, right in
      switch compare(left.element, right.element) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: left.offset < right.offset
      }
    }.map(\.element)
  }
}
