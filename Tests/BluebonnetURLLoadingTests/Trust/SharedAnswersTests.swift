// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTLS
import Testing

@testable import BluebonnetURLLoading

/// Who waits for somebody else's search, and what of it counts.
@Suite struct SharedAnswersTests {
  private let answers = SharedAnswers<String, Int>(limit: 4)

  private enum Search: Sendable, Equatable {
    case value(Int)
    case fault(RevocationFault)
  }

  /// Somebody searches for something without success; who wants the same meanwhile has until `end`.
  private func wait(until end: DispatchTime, behind deadline: DispatchTime) -> (result: Search, searches: Int)
  {
    let begun = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "first")
    queue.async { [answers] in
      _ = try? answers.value(for: "a", at: 0, until: deadline) { () throws(RevocationFault) in
        begun.signal()
        // Until the time is over, if it ever is.
        if deadline < .distantFuture { _ = DispatchSemaphore(value: 0).wait(timeout: deadline) }
        throw .unreachable("nobody is there")
      }
    }
    begun.wait()
    var searches = 0
    let result: Search
    do throws(RevocationFault) {
      result = .value(
        try answers.value(for: "a", at: 0, until: end) {
          searches += 1
          return (7, nil)
        })
    } catch {
      result = .fault(error)
    }
    queue.sync {}
    return (result, searches)
  }

  @Test func whoHasMoreTimeSearchesOn() {
    let (result, searches) = wait(until: .now() + 60, behind: .now() + 0.05)
    #expect(result == .value(7) && searches == 1)
  }

  /// That nobody is there is as true for the one who waits; or the search was over before it was asked for.
  @Test func whatWasFoundOutInTimeCountsForBoth() {
    let (result, searches) = wait(until: .now() + 60, behind: .distantFuture)
    #expect(searches == 1 ? result == .value(7) : result == .fault(.unreachable("nobody is there")))
  }

  @Test func whoHasLessTimeGivesUp() {
    let (result, searches) = wait(until: .now() + 0.01, behind: .now() + 0.2)
    #expect(searches == 0 && result != .value(7))
  }
}
