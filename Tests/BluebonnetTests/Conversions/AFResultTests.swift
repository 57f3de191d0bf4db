// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

@testable import Bluebonnet

@Suite struct AFResultTests {
  @Test func parts() {
    let success = AFResult<Int>.success(1)
    let failure = AFResult<Int>.failure(.explicitlyCancelled)
    #expect(success.success == 1)
    #expect(success.failure == nil)
    #expect(failure.success == nil)
    #expect(failure.failure?.isExplicitlyCancelledError == true)
  }

  @Test func anErrorOutweighsAValue() {
    #expect(Result<Int, Mishap>(value: 1, error: nil) == .success(1))
    #expect(Result<Int, Mishap>(value: 1, error: Mishap()) == .failure(Mishap()))
  }

  @Test func tryMapping() {
    let success = Result<Int, Mishap>.success(1)
    let failure = Result<Int, Mishap>.failure(Mishap())
    #expect(success.tryMap { $0 + 1 }.success == 2)
    #expect(success.tryMap { _ -> Int in throw Mishap(number: 5) }.failure as? Mishap == Mishap(number: 5))
    #expect(failure.tryMap { $0 + 1 }.failure as? Mishap == Mishap())
    #expect(failure.tryMapError { Mishap(number: $0.number + 1) }.failure as? Mishap == Mishap(number: 2))
    #expect(
      failure.tryMapError { _ -> Mishap in throw Mishap(number: 7) }.failure as? Mishap == Mishap(number: 7))
    #expect(success.tryMapError { $0 }.success == 1)
  }
}
