// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@Suite struct URLSessionConfigurationTests {
  @Test func aSessionKeepsACopy() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 5
    let session = URLSession(configuration: configuration)
    configuration.timeoutIntervalForRequest = 6
    session.configuration.timeoutIntervalForRequest = 7
    #expect(session.configuration.timeoutIntervalForRequest == 5)
    #expect(session.settings.timeoutIntervalForRequest == 5)
  }

  @Test func defaultsAreFreshAndShareTheirStores() {
    let first = URLSessionConfiguration.default
    first.httpShouldSetCookies = false
    #expect(URLSessionConfiguration.default.httpShouldSetCookies)
    #expect(first.httpCookieStorage === HTTPCookieStorage.shared)
    #expect(first.urlCredentialStorage === URLCredentialStorage.shared)
    #expect(first.identifier == nil)
    #expect(first.httpMaximumConnectionsPerHost == 6)
    #expect(first.tlsMinimumSupportedProtocolVersion == .TLSv12)
  }

  @Test func ephemeralOnesShareNothing() {
    let first = URLSessionConfiguration.ephemeral
    let second = URLSessionConfiguration.ephemeral
    #expect(first.httpCookieStorage !== HTTPCookieStorage.shared)
    #expect(first.httpCookieStorage !== second.httpCookieStorage)
    #expect(first.urlCredentialStorage !== second.urlCredentialStorage)
  }

  @Test func backgroundOnesHaveAName() {
    let configuration = URLSessionConfiguration.background(withIdentifier: "b")
    #expect(configuration.identifier == "b")
    #expect(URLSession(configuration: configuration).configuration.identifier == "b")
  }

  @Test func additionalHeadersAreReadOnce() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["User-Agent": "x", "X-Number": 1]
    #expect(configuration.settings.additionalFields["user-agent"] == "x")
    #expect(configuration.settings.additionalFields["x-number"] == "1")
    #expect(configuration.httpAdditionalHeaders?["User-Agent"] as? String == "x")
    configuration.httpAdditionalHeaders = nil
    #expect(configuration.settings.additionalFields.isEmpty)
  }

  @Test func theDelegateQueueIsTheCallers() {
    let queue = OperationQueue()
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
    #expect(session.delegateQueue === queue)
    let made = URLSession(configuration: .ephemeral)
    #expect(made.delegateQueue.maxConcurrentOperationCount == 1)
    let underlying = DispatchQueue(label: "test")
    let queued = URLSession(configuration: .ephemeral, delegate: nil, executor: .queue(underlying))
    #expect(queued.delegateQueue.underlyingQueue === underlying)
    #expect(queued.delegateQueue === queued.delegateQueue)
  }

  @Test func aCopyIsIndependent() throws {
    for configuration in [URLSessionConfiguration.ephemeral, .background(withIdentifier: "b")] {
      configuration.timeoutIntervalForRequest = 5
      configuration.httpAdditionalHeaders = ["A": "1"]
      configuration.addressFamily = .ipv6
      let copy = try #require(configuration.copy() as? URLSessionConfiguration)
      #expect(copy !== configuration && copy.identifier == configuration.identifier)
      #expect(copy.timeoutIntervalForRequest == 5 && copy.addressFamily == .ipv6)
      #expect(copy.httpAdditionalHeaders?["A"] as? String == "1")
      #expect(copy.httpCookieStorage === configuration.httpCookieStorage)
      #expect(copy.urlCredentialStorage === configuration.urlCredentialStorage)
      copy.timeoutIntervalForRequest = 6
      configuration.httpAdditionalHeaders = nil
      #expect(configuration.timeoutIntervalForRequest == 5)
      #expect(copy.httpAdditionalHeaders?["A"] as? String == "1")
    }
  }

  @Test func aSessionHasAName() {
    let session = URLSession(configuration: .ephemeral)
    #expect(session.sessionDescription == nil)
    session.sessionDescription = "images"
    #expect(session.sessionDescription == "images")
    session.sessionDescription = nil
    #expect(session.sessionDescription == nil)
  }
}
