// SPDX-License-Identifier: MIT

/// The time before which a server asks not to be tried again (`Retry-After`, RFC 9110 §10.2.3).
package enum RetryAfter: Equatable, Hashable, Sendable {
  /// So many seconds after the response.
  case seconds(Int)
  /// At a moment, in seconds since the start of 1970, by the server's clock.
  case date(Int)

  /// Reads the value of the field; nil for text that is neither a number nor a date.
  ///
  /// - Parameter now: The present in seconds since 1970, which tells the century of a year of two digits.
  package init?(_ value: String, now: Int) {
    let text = value.trimmingOptionalWhitespace
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More than a number can hold is longer than any wait.
      self = .seconds(Int(text) ?? .max)
    } else if let date = HTTPDate.parse(String(text), now: now) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// The seconds to wait, from 0.
  ///
  /// - Parameters:
  ///   - sent: The time of the response by the server's own clock (its `Date`), perhaps not ours.
  ///   - now:  The present by our clock, for a server that does not say.
  package func delay(sent: Int?, now: Int) -> Int {
    switch self {
    case .seconds(let seconds): return seconds
    case .date(let date):
      let (delay, overflow) = date.subtractingReportingOverflow(sent ?? now)
      return overflow ? 0 : max(0, delay)
    }
  }
}
