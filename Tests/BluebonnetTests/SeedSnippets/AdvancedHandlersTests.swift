// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on caching, redirects and monitors.
  @Suite struct AdvancedHandlersTests {
    private let origin: Origin
    private var base: String { origin.baseURL }
    private let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)

    init() {
      origin = Origin.inMemory()
    }

    private func session(_ handler: any CachedResponseHandler) -> Session {
      let configuration = URLSessionConfiguration.af.ephemeral.inMemory()
      configuration.urlCache = cache
      return Session(configuration: configuration, cachedResponseHandler: handler)
    }

    private final class Forgetful: CachedResponseHandler {
      let asked = Recorder<Int>()

      func dataTask(
        _ task: URLSessionDataTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping (CachedURLResponse?) -> Void
      ) {
        asked.note(response.data.count)
        completion(nil)
      }
    }

    @Test func aHandlerOfCachedResponses() async throws {
      let handler = Forgetful()
      let session = session(handler)
      #expect(await sent(session.request(base + "/bytes/10")).error == nil)
      #expect(try await handler.asked.first() == 10)
    }

    @Test func theBehavioursOfACacher() async throws {
      let request = try URLRequest(url: base + "/get", method: .get)
      for behavior in [ResponseCacher.Behavior.cache, .modify({ _, response in response })] {
        cache.removeAllCachedResponses()
        let session = session(ResponseCacher(behavior: behavior))
        #expect(await sent(session.request(request)).error == nil)
        await Eventually.expect("It is kept.") { cache.cachedResponse(for: request) != nil }
      }
      let asked = Recorder<Bool>()
      cache.removeAllCachedResponses()
      let doubtful = session(
        ResponseCacher(
          behavior: .modify { _, _ in
            asked.note(true)
            return nil
          }))
      #expect(await sent(doubtful.request(request)).error == nil)
      #expect(try await asked.first())
      let forgetful = session(ResponseCacher(behavior: .doNotCache))
      #expect(await sent(forgetful.request(request)).error == nil)
      #expect(cache.cachedResponse(for: request) == nil)
    }

    private struct Detour: RedirectHandler {
      let target: URL

      func task(
        _ task: URLSessionTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping (URLRequest?) -> Void
      ) {
        completion(URLRequest(url: target))
      }
    }

    @Test func aRedirectHandler() async throws {
      let target = try #require(URL(string: base + "/ip"))
      _ = await sent(AF.request(base + "/redirect/1").redirect(using: Detour(target: target)))
      #expect(origin.requests.map(\.path) == ["/redirect/1", "/ip"])
    }

    @Test func theBehavioursOfARedirector() async throws {
      let target = try #require(URL(string: base + "/ip"))
      let table: [(Redirector.Behavior, Int, String)] = [
        (.follow, 200, "/get"), (.doNotFollow, 302, "/redirect/1"),
        (
          .modify { _, request, response in
            response.statusCode == 302 && request.url?.path == "/get" ? URLRequest(url: target) : nil
          }, 200, "/ip"
        ),
      ]
      for (behavior, status, path) in table {
        let request = AF.request(base + "/redirect/1").redirect(using: Redirector(behavior: behavior))
        let answer = await sent(request)
        #expect(answer.response?.statusCode == status && origin.requests.last?.path == path)
      }
    }

    private final class Log: EventMonitor {
      let queue = DispatchQueue(label: "test.log")
      let lines = Recorder<String>()

      func requestDidResume(_ request: Request) {
        lines.note("Begun: \(request)")
      }

      func request<Value>(
        _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
      ) {
        lines.note(String(reflecting: response))
      }
    }

    @Test func logging() async throws {
      let log = Log()
      let session = Session(configuration: .af.default.inMemory(), eventMonitors: [log])
      _ = await sent(session.request(base + "/get"))
      await Eventually.expect("Both have been told.") { log.lines.entries.count == 2 }
      #expect(log.lines.entries.first?.hasPrefix("Begun: ") == true)
      #expect(log.lines.entries.last?.contains(base + "/get") == true)
    }

    @Test func reachability() async throws {
      let manager = NetworkReachabilityManager(host: "127.0.0.1")
      let statuses = Recorder<NetworkReachabilityManager.NetworkReachabilityStatus>()

      manager?.startListening { status in
        statuses.note(status)
      }
      #expect(try await statuses.first() == .reachable(.ethernetOrWiFi))
      manager?.stopListening()
    }
  }
}
