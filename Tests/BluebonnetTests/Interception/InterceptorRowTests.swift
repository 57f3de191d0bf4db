// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// A session's interceptor and a request's own, one behind the other.
@Suite struct InterceptorRowTests {
  private static let url = "http://host.test/"

  /// Adds its name to those that have seen the request before.
  private static func stamp(_ name: String) -> Adapter {
    Adapter { request, _, completion in
      var stamped = request
      let names = [request.value(forHTTPHeaderField: "Seen-By"), name].compactMap { $0 }
      stamped.setValue(names.joined(separator: ", "), forHTTPHeaderField: "Seen-By")
      completion(.success(stamped))
    }
  }

  @Test(arguments: [false, true])
  func theSessionsAdapterComesFirst(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues, interceptor: Self.stamp("session"))
    let plain = scripted.session.request(Self.url)
    #expect(await plain.serializingString().result.success == "body")
    #expect(plain.task?.originalRequest?.value(forHTTPHeaderField: "Seen-By") == "session")
    let own = scripted.session.request(Self.url, interceptor: Self.stamp("request"))
    #expect(await own.serializingString().result.success == "body")
    #expect(own.task?.originalRequest?.value(forHTTPHeaderField: "Seen-By") == "session, request")
    #expect(own.requests.count == 2, "However many adapters there are, one change is told of.")
  }

  @Test func theFirstErrorEndsTheRow() async {
    struct Refusal: Error {}
    let asked = Recorder<String>()
    let refusing = Adapter { _, _, completion in completion(.failure(Refusal())) }
    let asking = Adapter { request, _, completion in
      asked.note("request")
      completion(.success(request))
    }
    let scripted = ScriptedSession(interceptor: refusing)
    let response = await scripted.session.request(Self.url, interceptor: asking).serializingData().response
    #expect(response.error?.isRequestAdaptationError == true)
    #expect(response.error?.underlyingError is Refusal)
    #expect(asked.entries.isEmpty)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test(arguments: [false, true])
  func eachAdapterIsShownWhoseRequestItIs(onQueues: Bool) async {
    struct Reading: RequestInterceptor {
      let seen: Recorder<UUID>

      func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
      ) {
        seen.note(state.requestID)
        completion(.success(urlRequest))
      }
    }
    let seen = Recorder<UUID>()
    let scripted = ScriptedSession(onQueues: onQueues, interceptor: Reading(seen: seen))
    let request = scripted.session.request(Self.url, interceptor: Reading(seen: seen))
    _ = await request.serializingData().response
    #expect(seen.entries == [request.id, request.id])
  }

  @Test(arguments: [false, true])
  func retriersAreAskedUntilOneHasAnAnswer(onQueues: Bool) async {
    let asked = Recorder<String>()
    let session = Retrier { request, _, _, completion in
      asked.note("session")
      completion(request.retryCount == 0 ? .doNotRetry : .retry)
    }
    let own = Retrier { _, _, _, completion in
      asked.note("request")
      completion(.retry)
    }
    let scripted = ScriptedSession(onQueues: onQueues, interceptor: session) { attempt, _ in
      attempt < 3 ? .failure(.networkConnectionLost) : .reply(body: ["done"])
    }
    let request = scripted.session.request(Self.url, interceptor: own)
    #expect(await request.serializingString().result.success == "done")
    #expect(asked.entries == ["session", "request", "session"])
  }

  @Test func whereNobodyHasAnAnswerTheFailureStays() async {
    let silent = Retrier { _, _, _, completion in completion(.doNotRetry) }
    let scripted = ScriptedSession(interceptor: silent) { _, _ in .failure(.timedOut) }
    let request = scripted.session.request(Self.url, interceptor: silent)
    let error = await request.serializingData().response.error
    #expect((error?.underlyingError as? URLError)?.code == .timedOut)
    #expect(request.retryCount == 0)
  }

  // MARK: Factories

  private static let twice: RetryHandler = { request, _, _, completion in
    completion(request.retryCount == 0 ? .retry : .doNotRetry)
  }

  private static let stamping: AdaptHandler = { request, session, completion in
    stamp("closure").adapt(request, for: session, completion: completion)
  }

  /// Each form adapts by its adapters, those named as such first, and asks its retriers.
  @Test(
    arguments: [
      (.interceptor(adapter: stamping, retrier: twice), "closure"),
      (.interceptor(adapter: .adapter(using: stamping), retrier: .retrier(using: twice)), "closure"),
      (
        .interceptor(
          adapters: [stamp("a"), stamp("b")],
          retriers: [.retrier { _, _, _, completion in completion(.doNotRetry) }],
          interceptors: [.interceptor(adapter: stamp("c"), retrier: .retrier(using: twice))]), "a, b, c"
      ),
      (.interceptor(retriers: [.retrier(using: twice)]), nil),
    ] as [(Interceptor, String?)])
  func partsByTheirFactories(interceptor: Interceptor, names: String?) async {
    let scripted = ScriptedSession { attempt, _ in
      attempt == 1 ? .failure(.networkConnectionLost) : .reply(body: ["done"])
    }
    let request = scripted.session.request(Self.url, interceptor: interceptor)
    #expect(await request.serializingString().result.success == "done")
    #expect(scripted.engine.started.count == 2)
    #expect(
      scripted.engine.started.map { $0.originalRequest?.value(forHTTPHeaderField: "Seen-By") } == [
        names, names,
      ])
  }
}
