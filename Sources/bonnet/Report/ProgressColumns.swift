// SPDX-License-Identifier: MIT

/// The table that curl shows while it works: a pure function of how far it has come.
enum ProgressColumns {
  /// The columns that the widest line takes.
  static let width = 79

  static let title = """
      % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                     Dload  Upload   Total   Spent    Left  Speed

    """

  static let parallelTitle = """
    DL% UL%  Dled  Uled  Xfers  Live Total     Current  Left    Speed

    """

  /// One transfer.
  static func line(_ facts: ProgressFacts) -> String {
    let done = facts.received + facts.sent
    let seconds = max(facts.elapsed, 0.000001)
    let download = speed(facts.received, seconds)
    let upload = speed(facts.sent, seconds)
    // The slower direction says how long it takes.
    let estimates = [(facts.receivedTotal, download), (facts.sentTotal, upload)].compactMap { total, speed in
      total.flatMap { $0 > 0 && speed > 0 ? $0 / speed : nil }
    }
    let total = estimates.max() ?? 0
    let spent = Int(facts.elapsed)
    let percents = [
      percent(done, facts.receivedTotal == nil && facts.sentTotal == nil ? nil : facts.whole),
      percent(facts.received, facts.receivedTotal), percent(facts.sent, facts.sentTotal),
    ].map { pad("\($0)", 3) }
    return [
      percents[0], size(facts.whole), " " + percents[1], size(facts.received),
      " " + percents[2], size(facts.sent), " " + pad(size(download), 5), pad(size(upload), 6), time(total),
      time(spent), time(total > 0 ? max(0, total - spent) : 0), size(facts.currentSpeed),
    ].joined(separator: " ")
  }

  /// Several transfers at once.
  static func parallelLine(_ facts: ProgressFacts) -> String {
    let download =
      facts.receivedTotal == nil ? "-- " : pad("\(percent(facts.received, facts.receivedTotal))", 3)
    let upload = facts.sentTotal == nil ? "-- " : pad("\(percent(facts.sent, facts.sentTotal))", 3)
    let seconds = max(facts.elapsed, 0.000001)
    let average = speed(facts.received, seconds)
    let total = facts.receivedTotal.flatMap { average > 0 ? $0 / average : nil } ?? 0
    let spent = Int(facts.elapsed)
    return [
      download, upload, size(facts.received), size(facts.sent), pad("\(facts.transfers)", 5),
      pad("\(facts.running)", 5) + " ", time(total), time(spent), time(total > 0 ? max(0, total - spent) : 0),
      size(facts.currentSpeed),
    ].joined(separator: " ")
  }

  /// The title for a terminal that is too narrow for curl's table.
  static func narrowTitle(isParallel: Bool) -> String {
    "  %  Recv  Sent" + (isParallel ? "  Live" : "") + " Speed     Left\n"
  }

  /// The most telling columns: 36 at most.
  static func narrowLine(_ facts: ProgressFacts, isParallel: Bool) -> String {
    let isKnown = facts.receivedTotal != nil || facts.sentTotal != nil
    let percents = percent(facts.received + facts.sent, isKnown ? facts.whole : nil)
    let average = speed(facts.received + facts.sent, max(facts.elapsed, 0.000001))
    let left = isKnown && average > 0 ? (facts.whole - facts.received - facts.sent) / average : 0
    return [
      pad("\(percents)", 3), size(facts.received), size(facts.sent),
      isParallel ? pad("\(facts.running)", 5) : nil, size(facts.currentSpeed), time(left),
    ].compactMap(\.self).joined(separator: " ")
  }

  private static func speed(_ bytes: Int, _ seconds: Double) -> Int {
    Int(min(Double(bytes) / seconds, 9e15))
  }

  private static func percent(_ part: Int, _ whole: Int?) -> Int {
    guard let whole, whole > 0 else { return 0 }
    return min(100, Int(Double(part) / Double(whole) * 100))
  }

  /// Five columns at most.
  static func size(_ bytes: Int) -> String {
    if bytes < 100_000 { return pad("\(bytes)", 5) }
    var value = Double(bytes) / 1_024
    for unit in ["k", "M", "G", "T", "P"] {
      // What does not fit into four columns is of the next unit.
      if value < 100, unit != "k" {
        return pad(Decimals.fixed((value * 10).rounded(.down) / 10, 1) + unit, 5)
      }
      if value < 10_000 { return pad("\(Int(value))\(unit)", 5) }
      value /= 1_024
    }
    return pad("\(Int(value))E", 5)
  }

  /// Eight columns.
  static func time(_ seconds: Int) -> String {
    guard seconds > 0 else { return "--:--:--" }
    let hours = seconds / 3_600
    if hours <= 99 { return pad("\(hours)", 2) + ":\(two(seconds / 60 % 60)):\(two(seconds % 60))" }
    let days = seconds / 86_400
    return days <= 999 ? pad("\(days)", 3) + "d \(two(hours % 24))h" : pad("\(days)", 7) + "d"
  }

  private static func two(_ number: Int) -> String { Decimals.padded(number, to: 2) }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
