// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct TourTests {
  @Test func everyPromiseIsKept() async {
    #expect(await Tour.take() == .success)
  }

  @Test func brokenPromisesShow() async {
    let report = await TourStop(title: "a stop") { throw BrokenPromise("it rained") }.visit()
    #expect(!report.isKept)
    #expect(report.line.hasPrefix("FAIL  a stop "))
    #expect(report.line.hasSuffix(" ms  it rained"))
    #expect(throws: BrokenPromise.self) { try promise(false, "") }
    #expect(throws: Never.self) { try promise(true, "") }
  }
}
