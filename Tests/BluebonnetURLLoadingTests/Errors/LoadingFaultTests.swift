// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@testable import BluebonnetURLLoading

/// Where a load failed and whose fault it was, for errors that no exchange has made.
@Suite struct LoadingFaultTests {
  @Test(
    arguments: [
      (.badURL, .preparing, .caller), (.unsupportedURL, .preparing, .caller),
      (.unsupportedURL, .redirecting, .server),
      (.badURL, .redirecting, .server), (.httpTooManyRedirects, .redirecting, .server),
      (.redirectToNonExistentLocation, .redirecting, .server), (.cancelled, .preparing, .caller),
      (.cancelled, .cancelling, .caller), (.cancelled, .securing, .caller),
      (.userCancelledAuthentication, .waiting, .caller), (.userAuthenticationRequired, .waiting, .local),
      (.requestBodyStreamExhausted, .preparing, .caller), (.resourceUnavailable, .preparing, .caller),
      (.fileDoesNotExist, .preparing, .caller), (.noPermissionsToReadFile, .preparing, .caller),
      (.cannotCreateFile, .storing, .local), (.cannotWriteToFile, .storing, .local),
      (.timedOut, .preparing, .caller), (.timedOut, .connecting, .network),
      (.timedOut, .receivingBody, .server),
      (.timedOut, .waitingForConnection, .local),
    ] as [(URLError.Code, LoadingPhase, LoadingFault)])
  func codesAndPhasesTellTheFault(_ code: URLError.Code, _ phase: LoadingPhase, _ fault: LoadingFault) {
    let error = URLError.loading(code, url: nil, phase: phase, reason: "a reason")
    #expect(error.loadingPhase == phase)
    #expect(error.loadingFault == fault)
    let stated = URLError.loading(code, url: nil, phase: phase, reason: "a reason", fault: .network)
    #expect(stated.loadingFault == .network)
  }

  @Test func errorsFromElsewhereDoNotTell() {
    #expect(URLError(.timedOut).loadingPhase == nil)
    #expect(URLError(.timedOut).loadingFault == nil)
  }

  @Test func theMethodIsAddedOnce() throws {
    var request = URLRequest(url: try #require(URL(string: "http://a.test/x?secret")))
    request.httpMethod = "PUT"
    let error = URLError.loading(
      .timedOut, url: request.url, phase: .waiting, reason: "a reason", fault: .network,
      cause: URLError(.badURL))
    let named = error.naming(request)
    #expect(
      named.localizedDescription
        == "PUT http://a.test/x?… timed out while waiting for the response: a reason.")
    #expect(named.naming(URLRequest(url: try #require(URL(string: "http://b.test/")))) == named)
    #expect(named.loadingPhase == .waiting && named.loadingFault == .network)
    #expect((named.errorUserInfo[NSUnderlyingErrorKey] as? URLError)?.code == .badURL)
    let nameless = URLError.loading(.cancelled, url: nil, phase: .preparing, reason: "")
    #expect(nameless.localizedDescription == "The request was cancelled.")
    #expect(nameless.naming(request).localizedDescription == "PUT http://a.test/x?… was cancelled.")
    #expect(nameless.naming(request).failingURL == request.url)
  }

  /// What an error says is nobody's to decide by.
  @Test func anErrorFromElsewhereKeepsItsWords() throws {
    let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
    let error = URLError(
      .timedOut, userInfo: [NSLocalizedDescriptionKey: "The request http://a.test/ was lost."])
    #expect(error.naming(request).localizedDescription == "The request http://a.test/ was lost.")
  }

  @Test func phasesHaveTheirOwnWords() {
    #expect(Set(LoadingPhase.allCases.map(\.rawValue)).count == LoadingPhase.allCases.count)
    for phase in LoadingPhase.allCases { #expect(phase.rawValue.first?.isLowercase == true) }
  }
}
