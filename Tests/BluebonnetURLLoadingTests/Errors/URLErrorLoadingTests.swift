// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@Suite struct URLErrorLoadingTests {
  private let url = URL(string: "http://me:secret@example.org/x?token=secret")

  @Test(arguments: LoadingPhase.allCases.filter { $0 != .preparing })
  func anErrorNamesItsAddressItsPhaseAndItsReason(_ phase: LoadingPhase) {
    struct Cause: Error {}
    let error = URLError.loading(
      .networkConnectionLost, url: url, phase: phase, reason: "it rained", cause: Cause(), more: ["key": 1])
    #expect(error.code == .networkConnectionLost)
    #expect(
      error.localizedDescription == "http://example.org/x?… failed while \(phase.rawValue): it rained.")
    #expect(error.failingURL?.absoluteString == "http://example.org/x?token=secret")
    #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == "http://example.org/x?token=secret")
    #expect(error.userInfo[NSUnderlyingErrorKey] is Cause)
    #expect(error.userInfo["key"] as? Int == 1)
  }

  @Test(arguments: [
    (URLError.Code.badURL, LoadingPhase.preparing, "R", "was not sent: R."),
    (.timedOut, .connecting, "it was not done in 5 s", "timed out while connecting: it was not done in 5 s."),
    (.cancelled, .cancelling, "", "was cancelled."),
    (.cancelled, .preparing, "the session is invalidated", "was cancelled: the session is invalidated."),
    (.cancelled, .sending, "", "was cancelled while sending the request."),
    (.badURL, .preparing, "Why?", "was not sent: Why?"),
    (.badURL, .preparing, "R.", "was not sent: R."),
  ])
  func theVerdictDependsOnCodeAndPhase(code: URLError.Code, phase: LoadingPhase, reason: String, text: String)
  {
    let error = URLError.loading(code, url: url, method: "PUT", phase: phase, reason: reason)
    #expect(error.localizedDescription == "PUT http://example.org/x?… \(text)")
  }

  @Test func theRequestIsNamedLater() throws {
    var request = URLRequest(url: try #require(url))
    request.httpMethod = "DELETE"
    let named = "DELETE http://example.org/x?… was not sent: R."
    let error = URLError.loading(.badURL, url: url, phase: .preparing, reason: "R")
    #expect(error.naming(request).localizedDescription == named)
    #expect(error.naming(request).naming(request).localizedDescription == named)
    let anonymous = URLError.loading(.badURL, url: nil, phase: .preparing, reason: "R")
    #expect(anonymous.localizedDescription == "The request was not sent: R.")
    #expect(anonymous.failingURL == nil)
    #expect(anonymous.naming(request).localizedDescription == named)
    #expect(anonymous.naming(request).failingURL?.absoluteString == "http://example.org/x?token=secret")
    let foreign = URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: "Mine"])
    #expect(foreign.naming(request).localizedDescription == "Mine")
    request.httpMethod = "BAD\r\nX: y"
    #expect(error.naming(request).localizedDescription == "http://example.org/x?… was not sent: R.")
  }

  @Test func anErrorIsFoundByItsCode() {
    let error: any Error = URLError.loading(.cannotFindHost, url: nil, phase: .resolving, reason: "r")
    #expect((error as? URLError)?.code == .cannotFindHost)
    #expect((error as? URLError)?.failingURL == nil)
  }
}
