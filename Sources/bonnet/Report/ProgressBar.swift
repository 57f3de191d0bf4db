// SPDX-License-Identifier: MIT

/// The bar of `-#`: a pure function of how far it has come.
enum ProgressBar {
  /// The line for a terminal of `width` columns, without a line end.
  ///
  /// - Parameter tick: The number of times it was shown; where the end is unknown, it moves with that.
  static func line(_ facts: ProgressFacts, width: Int, tick: Int) -> String {
    let width = max(20, min(width, 400))
    guard let total = total(facts), total > 0 else {
      let room = width - 4
      let position = tick % (2 * room)
      let place = position < room ? position : 2 * room - position
      return String(repeating: " ", count: place) + "-=O=" + String(repeating: " ", count: room - place)
    }
    let fraction = min(1, Double(facts.received + facts.sent) / Double(total))
    let room = width - 7
    let filled = Int(Double(room) * fraction)
    let percent = Decimals.fixed(fraction * 100, 1)
    return String(repeating: "#", count: filled)
      + String(repeating: " ", count: room - filled + 6 - percent.count)
      + percent + "%"
  }

  private static func total(_ facts: ProgressFacts) -> Int? {
    guard facts.receivedTotal != nil || facts.sentTotal != nil else { return nil }
    return facts.whole
  }
}
