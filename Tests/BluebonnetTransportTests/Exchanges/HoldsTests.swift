// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite struct HoldsTests {
  private static let reasons: [Holds] = [.caller, .decision, .backlog, .slowReader, .trust]

  enum Step: Sendable {
    case hold(Holds), release(Holds), resume
  }

  @Test(
    arguments: [
      ([], false, []),
      ([.hold(.caller)], true, [true]),
      ([.hold([])], false, [false]),
      ([.release(.caller)], false, [false]),
      ([.resume], false, [false]),
      // What is held already is not held twice.
      ([.hold(.caller), .hold(.caller), .release(.caller), .resume], false, [true, false, true, true]),
      // Each reason is its owner's.
      ([.hold(.caller), .hold(.slowReader), .release(.slowReader)], true, [true, false, false]),
      (
        [.hold(.caller), .hold(.backlog), .release(.caller), .release(.caller)], true,
        [true, false, false, false]
      ),
      ([.hold([.caller, .decision]), .release(.all), .resume], false, [true, true, true]),
      // Released, and not yet resumed.
      ([.hold(.trust), .release(.trust)], true, [true, true]),
      ([.hold(.trust), .release(.trust), .release(.trust), .resume], false, [true, true, false, true]),
      ([.hold(.trust), .release(.trust), .hold(.caller), .resume], true, [true, true, false, false]),
      ([.hold(.trust), .resume], true, [true, false]),
    ] as [([Step], Bool, [Bool])])
  func aBodyFlowsWhenNothingHoldsIt(steps: [Step], isHeld: Bool, answers: [Bool]) {
    var flow = BodyFlow()
    let given = steps.map { step in
      switch step {
      case .hold(let reasons): flow.hold(reasons)
      case .release(let reasons): flow.release(reasons)
      case .resume: flow.resume()
      }
    }
    #expect(given == answers)
    #expect(flow.isHeld == isHeld)
  }

  /// Any order, any combination: the body flows if and only if nobody holds it and it has been resumed; every release of
  /// the last reason asks for exactly one resumption.
  @Test(arguments: 1...20) func randomSequences(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var flow = BodyFlow()
    var held: Set<UInt8> = []
    var owesResume = false
    for _ in 0..<5_000 {
      let chosen = Self.reasons.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      let reasons = chosen.reduce(into: Holds()) { $0.formUnion($1) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let flowed = held.isEmpty && !owesResume
        #expect(flow.hold(reasons) == (flowed && !chosen.isEmpty))
        held.formUnion(chosen.map(\.rawValue))
        if !chosen.isEmpty { owesResume = false }
      case 2, 3:
        let wasHeld = !held.isEmpty
        held.subtract(chosen.map(\.rawValue))
        let isLast = wasHeld && held.isEmpty
        #expect(flow.release(reasons) == isLast)
        if isLast { owesResume = true }
      default:
        #expect(flow.resume() == owesResume)
        owesResume = false
      }
      #expect(flow.isHeld == (!held.isEmpty || owesResume))
      #expect(flow.holds.isEmpty == held.isEmpty)
    }
    _ = flow.release(.all)
    _ = flow.resume()
    #expect(!flow.isHeld)
  }
}
