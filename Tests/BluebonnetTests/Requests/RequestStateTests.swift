// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct RequestStateTests {
  /// Every legal transition; all others are refused.
  private static let legal: [Request.State: Set<Request.State>] = [
    .initialized: [.resumed, .suspended, .cancelled, .finished],
    .resumed: [.suspended, .cancelled, .finished],
    .suspended: [.resumed, .cancelled, .finished],
    .cancelled: [],
    .finished: [],
  ]

  private static let all: [Request.State] = [.initialized, .resumed, .suspended, .cancelled, .finished]

  @Test(arguments: all, all)
  func transition(from: Request.State, to: Request.State) {
    #expect(from.canTransitionTo(to) == (Self.legal[from]?.contains(to) ?? false))
  }
}
