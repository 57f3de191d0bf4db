import BluebonnetURLLoading
import Testing

@Suite struct URLErrorLoadingTests {
  @Test(arguments: LoadingPhase.allCases) func anErrorNamesItsPhaseItsReasonAndItsAddress(
    _ phase: LoadingPhase
  ) {
    struct Cause: Error {}
    let url = URL(string: "http://example.org/x")
    let error = URLError.loading(
      .timedOut, url: url, phase: phase, reason: "nothing for 60 s", cause: Cause(), more: ["key": 1])
    #expect(error.code == .timedOut)
    #expect(error.localizedDescription == "\(phase.rawValue): nothing for 60 s")
    #expect(error.failingURL == url)
    #expect(error.userInfo[NSUnderlyingErrorKey] is Cause)
    #expect(error.userInfo["key"] as? Int == 1)
  }

  @Test func anErrorIsFoundByItsCode() {
    let error: any Error = URLError.loading(.cannotFindHost, url: nil, phase: .resolving, reason: "r")
    #expect((error as? URLError)?.code == .cannotFindHost)
    #expect((error as? URLError)?.failingURL == nil)
  }
}
