// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// The progress of several downloads: bars on a terminal, a line for each quarter elsewhere.
final class ProgressBoard: Sendable {
  private struct Row {
    let name: String
    var completed: Int64 = 0
    var total: Int64 = 0
    var quarter: Int64 = 0
    var outcome: String?

    var bar: String {
      if let outcome { return "\(name)  \(outcome)" }
      guard total > 0 else { return "\(name)  \(completed >> 10) KiB" }
      let filled = Int(30 * completed / total)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
      return "\(name)  \(bar) \(100 * completed / total) %  \(completed >> 10) of \(total >> 10) KiB"
    }
  }

  private struct State {
    var rows: [Row]
    var isDrawn = false
    var last = ContinuousClock.now
  }

  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private let state: Mutex<State>

  init(_ names: [String]) {
    let width = names.map(\.count).max() ?? 0
    state = Mutex(
      State(rows: names.map { Row(name: $0.padding(toLength: width, withPad: " ", startingAt: 0)) }))
  }

  /// - Parameter progress: Of the download with this number.
  func update(_ index: Int, _ progress: Progress) {
    state.withLock { state in
      (state.rows[index].completed, state.rows[index].total) =
        (progress.completedUnitCount, progress.totalUnitCount)
      if isTerminal { return draw(&state, atOnce: false) }
      let row = state.rows[index]
      guard row.total > 0, 4 * row.completed / row.total > row.quarter else { return }
      state.rows[index].quarter = 4 * row.completed / row.total
      write("\(row.name)  \(100 * row.completed / row.total) %\n")
    }
  }

  /// The last words about a download.
  func finish(_ index: Int, _ outcome: String) {
    state.withLock { state in
      state.rows[index].outcome = outcome
      if isTerminal { draw(&state, atOnce: true) } else { write(state.rows[index].bar + "\n") }
    }
  }

  /// Draws all rows over those that were drawn before, ten times in a second at most.
  private func draw(_ state: inout State, atOnce: Bool) {
    guard atOnce || !state.isDrawn || ContinuousClock.now - state.last > .milliseconds(100) else { return }
    let up = state.isDrawn ? "\u{1B}[\(state.rows.count)A" : ""
    write(up + state.rows.map { "\u{1B}[2K\($0.bar)\n" }.joined())
    (state.isDrawn, state.last) = (true, .now)
  }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
