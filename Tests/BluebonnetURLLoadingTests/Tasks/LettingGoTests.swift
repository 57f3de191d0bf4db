// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// What tasks, configurations and storages let go of may ask them something at that moment, so no lock is held then.
@Suite struct LettingGoTests {
  private final class OwnResponse: URLResponse, @unchecked Sendable {
    private let word: LastWord?

    init(_ word: LastWord?) {
      self.word = word
      super.init(url: URL(filePath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }
  }

  private final class OwnCache: URLCache, @unchecked Sendable {
    private let word: LastWord?

    init(_ word: LastWord?) {
      self.word = word
      super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
    }
  }

  private final class OwnCookies: HTTPCookieStorage, @unchecked Sendable {
    private let word: LastWord?

    init(_ word: LastWord?) {
      self.word = word
      super.init()
    }
  }

  /// A place for an object of the user's.
  struct Place<Owner>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Puts one in, and lets the one before go.
    let put: @Sendable (Owner, LastWord?) -> Void

    init(_ description: String, _ put: @escaping @Sendable (Owner, LastWord?) -> Void) {
      testDescription = description
      self.put = put
    }
  }

  /// Puts something in that asks the owner at its end, and then something else.
  private func expectTheFirstMayAsk<Owner: Sendable>(
    _ place: Place<Owner>, of owner: Owner, _ ask: @escaping @Sendable () -> Void
  ) {
    let heard = Signal()
    place.put(
      owner,
      LastWord {
        ask()
        heard.raise()
      })
    #expect(Signal.isRaised { place.put(owner, nil) })
    #expect(heard.wait(seconds: 5))
  }

  static let places: [Place<URLSessionTask>] = [
    Place("response") { $0.setResponse(OwnResponse($1)) },
    Place("request") { task, word in
      var request = URLRequest(url: URL(filePath: "/"))
      if let word { URLProtocol.setProperty(word, forKey: "word", in: &request) }
      task.setCurrentRequest(request)
    },
    Place("completion") { task, word in
      task.completion = .data { _, _, _ in withExtendedLifetime(word) {} }
    },
  ]

  @Test(arguments: places) func whatATaskHadMayAsk(place: Place<URLSessionTask>) throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let task: URLSessionTask = session.dataTask(with: try #require(URL(string: "http://host.test/")))
    expectTheFirstMayAsk(place, of: task) { [weak task] in _ = task?.state }
  }

  static let settings: [Place<URLSessionConfiguration>] = [
    Place("httpAdditionalHeaders") { $0.httpAdditionalHeaders = $1.map { ["A": $0] } },
    Place("connectionProxyDictionary") { $0.connectionProxyDictionary = $1.map { ["A": $0] } },
    Place("urlCache") { $0.urlCache = OwnCache($1) },
    Place("httpCookieStorage") { $0.httpCookieStorage = OwnCookies($1) },
  ]

  @Test(arguments: settings) func whatAConfigurationHadMayAsk(place: Place<URLSessionConfiguration>) {
    let configuration = URLSessionConfiguration.ephemeral
    expectTheFirstMayAsk(place, of: configuration) { [weak configuration] in _ = configuration?.settings }
  }

  private static let request = URLRequest(url: URL(string: "http://host.test/") ?? URL(filePath: "/"))

  private static func store(_ word: LastWord?, in cache: URLCache) {
    guard let url = request.url else { return }
    cache.storeCachedResponse(
      CachedURLResponse(
        response: URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil),
        data: Data(), userInfo: word.map { ["word": $0] }, storagePolicy: .allowed),
      for: request)
  }

  static let entries: [Place<URLCache>] = [
    Place("replaced") { store($1, in: $0) },
    Place("removed") { $1 == nil ? $0.removeCachedResponse(for: request) : store($1, in: $0) },
    Place("all removed") { $1 == nil ? $0.removeAllCachedResponses() : store($1, in: $0) },
    Place("removed by date") {
      $1 == nil ? $0.removeCachedResponses(since: .distantPast) : store($1, in: $0)
    },
  ]

  @Test(arguments: entries) func whatACacheKeptMayAsk(place: Place<URLCache>) {
    let cache = URLCache(memoryCapacity: 100_000, diskCapacity: 0, diskPath: nil)
    expectTheFirstMayAsk(place, of: cache) { [weak cache] in _ = cache?.currentMemoryUsage }
  }
}
