// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@Suite struct ServerPresenceTests {
  /// On a newcomer's machine the real servers may be missing, and the run says which; in CI that is a failure.
  @Test func realServersArePresentOrNamed() {
    let absent = RealServer.allCases.filter { !$0.isPresent }
    if !absent.isEmpty {
      let names = absent.map { "\($0)" }.joined(separator: ", ")
      print("Real servers not found, their conformance tests are skipped: \(names).")
      print("Tests/Servers/run swift test --filter ConformanceTests starts them.")
    }
    #expect(absent.isEmpty || !RealServer.areRequired)
  }
}
