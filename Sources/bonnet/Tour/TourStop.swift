// SPDX-License-Identifier: MIT

/// One thing to show. It returns its result, or throws if that was not the promised one.
struct TourStop: Sendable {
  let title: String
  let show: @Sendable () async throws -> String

  /// Shows it and takes the time.
  func visit() async -> TourReport {
    let start = ContinuousClock.now
    do {
      let sight = try await show()
      return TourReport(title: title, duration: ContinuousClock.now - start, sight: sight, isKept: true)
    } catch {
      return TourReport(title: title, duration: ContinuousClock.now - start, sight: "\(error)", isKept: false)
    }
  }
}

/// The result of a stop.
struct TourReport: Equatable {
  let title: String
  let duration: Duration
  let sight: String
  let isKept: Bool

  var line: String {
    let time = Decimals.fixed(duration / .milliseconds(1), 1)
    let space = String(repeating: " ", count: max(1, 32 - title.count - time.count))
    return "\(isKept ? "ok  " : "FAIL")  \(title)\(space)\(time) ms  \(sight)"
  }
}

/// A promise that was not kept.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws if `isKept` is false.
func promise(_ isKept: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
  if !isKept { throw BrokenPromise(description()) }
}
