// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The user's code is called where the article *Order and queues* says.
@Suite struct DocumentedQueuesTests {
  /// Remembers on which of a session's queues each kind of code was called.
  private final class Witness: Sendable {
    private static let key = DispatchSpecificKey<String>()
    private let places = Locked<[String: Set<String>]>([:])

    func watch(_ session: Session) {
      session.rootQueue.setSpecific(key: Self.key, value: "root")
      session.requestQueue.setSpecific(key: Self.key, value: "request")
      session.serializationQueue.setSpecific(key: Self.key, value: "serialization")
    }

    func note(_ what: String) {
      let place = DispatchQueue.getSpecific(key: Self.key) ?? "elsewhere"
      places.withLock { _ = $0[what, default: []].insert(place) }
    }

    var seen: [String: Set<String>] { places.withLock { $0 } }
  }

  private struct Code: RequestInterceptor, RedirectHandler, CachedResponseHandler, DataPreprocessor,
    DataStreamSerializer, ServerTrustEvaluating
  {
    let witness: Witness

    func adapt(
      _ urlRequest: URLRequest, for session: Session,
      completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
      witness.note("adapter")
      completion(.success(urlRequest))
    }

    func retry(
      _ request: Request, for session: Session, dueTo error: any Error,
      completion: @escaping @Sendable (RetryResult) -> Void
    ) {
      witness.note("retrier")
      completion(.doNotRetry)
    }

    func task(
      _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
      completion: @escaping (URLRequest?) -> Void
    ) {
      witness.note("redirect handler")
      completion(request)
    }

    func dataTask(
      _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
      completion: @escaping (CachedURLResponse?) -> Void
    ) {
      witness.note("handler of cached responses")
      completion(response)
    }

    func preprocess(_ data: Data) throws -> Data {
      witness.note("preprocessor")
      return data
    }

    func serialize(_ data: Data) throws -> Int {
      witness.note("stream serializer")
      return data.count
    }

    func evaluate(_ trust: SecTrust, forHost host: String) throws { witness.note("evaluator") }
  }

  private struct Convertible: URLRequestConvertible {
    let (url, witness): (String, Witness)

    func asURLRequest() throws -> URLRequest {
      witness.note("convertible")
      return try URLRequest(url: url, method: .post)
    }
  }

  private struct Parameters: Encodable, Sendable {
    let witness: Witness
    private enum Keys: CodingKey { case name }

    func encode(to encoder: any Encoder) throws {
      witness.note("parameters")
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("value", forKey: .name)
    }
  }

  /// Every kind of code once, over plain connections and over TLS.
  private static func places(rootQueue: DispatchQueue?) async throws -> [String: Set<String>] {
    let (plain, secure) = (try Origin.start(), try Origin.start(security: .tls))
    let witness = Witness()
    let code = Code(witness: witness)
    let session = Session(
      configuration: .af.ephemeral, rootQueue: rootQueue, interceptor: code,
      serverTrustManager: ServerTrustManager(evaluators: ["localhost": code]), redirectHandler: code,
      cachedResponseHandler: code)
    witness.watch(session)
    let base = plain.baseURL
    _ = await session.request(base + "/redirect/1", parameters: Parameters(witness: witness)) { _ in
      witness.note("modifier")
    }
    .validate { _, _, _ in
      witness.note("validator")
      return .success(())
    }
    .serializingData(dataPreprocessor: code).response
    _ = await session.request(base + "/status/500").validate().serializingData().response
    _ = await session.upload(
      Data(), with: Convertible(url: base + "/post", witness: witness)
    ).serializingData().response
    _ = await session.streamRequest(base + "/bytes/100").validate { _, _ in
      witness.note("stream validator")
      return .success(())
    }
    .streamTask().streamingResponses(serializedUsing: code).reduce(0) { count, _ in count + 1 }
    let file = await session.download(
      base + "/bytes/100",
      to: { temporary, _ in
        witness.note("destination")
        return (temporary, [])
      }
    )
    .serializingDownloadedFileURL().response.fileURL
    if let file { try FileManager.default.removeItem(at: file) }
    let response = await session.request(secure.baseURL + "/get").serializingData().response
    #expect(response.error == nil)
    await withCheckedContinuation { continuation in
      session.withAllRequests { _ in
        witness.note("all requests")
        continuation.resume()
      }
    }
    return witness.seen
  }

  @Test func withDefaultQueues() async throws {
    let places = try await Self.places(rootQueue: nil)
    #expect(
      places == [
        "convertible": ["request"], "parameters": ["request"], "modifier": ["request"],
        "adapter": ["request"],
        "retrier": ["request"], "redirect handler": ["request"], "destination": ["request"],
        "handler of cached responses": ["request"], "validator": ["serialization"],
        "stream validator": ["serialization"], "preprocessor": ["serialization"],
        "stream serializer": ["serialization"], "evaluator": ["elsewhere"], "all requests": ["root"],
      ])
  }

  @Test func withARootQueueOfTheCallers() async throws {
    let places = try await Self.places(rootQueue: DispatchQueue(label: "test.documented.root"))
    #expect(
      places == [
        "convertible": ["request"], "parameters": ["request"], "modifier": ["request"],
        "adapter": ["request"],
        "retrier": ["root"], "redirect handler": ["root"], "destination": ["root"],
        "handler of cached responses": ["root"], "validator": ["root"], "stream validator": ["root"],
        "preprocessor": ["serialization"], "stream serializer": ["serialization"],
        "evaluator": ["elsewhere"], "all requests": ["root"],
      ])
  }
}
