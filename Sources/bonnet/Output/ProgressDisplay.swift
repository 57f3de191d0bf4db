/// Keeps the progress line of a terminal up to date, a few times a second.
struct ProgressDisplay {
  private static let interval = Duration.milliseconds(100)

  private let width: Int
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant?

  init(width: Int) { self.width = width }

  /// Shows how far the download is, unless that was done a moment ago.
  mutating func show(received: Int64, total: Int64?, isLast: Bool = false) {
    let now = ContinuousClock.now
    if let shown, !isLast, now - shown < Self.interval { return }
    shown = now
    let elapsed = now - start
    let bar = ProgressBar(
      received: received, total: total, elapsed: elapsed / .seconds(1))
    let text = bar.text(width: width - 1)
    let rest = String(repeating: " ", count: max(0, width - 1 - text.count))
    Terminal.say("\r\(text)\(rest)" + (isLast ? "\n" : ""))
  }
}
