// SPDX-License-Identifier: MIT

// No `@testable` in this file: it sees what other modules see.
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

/// A class that is `open` can be subclassed from another module, and its subclass does its work.
@Suite struct OpenClassesTests {
  class CountingSession: Session, @unchecked Sendable {
    let made = Counter()

    override func request(
      _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
      shouldAutomaticallyResume: Bool? = nil
    ) -> DataRequest {
      made.count()
      return super.request(
        convertible, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }
  }

  /// With every designated initialiser overridden, the convenience ones are inherited.
  final class NamedSession: CountingSession, @unchecked Sendable {
    let name: String

    override init(
      session: URLSession, delegate: SessionDelegate, rootQueue: DispatchQueue,
      startRequestsImmediately: Bool = true, requestSetup: RequestSetup = .lazy,
      requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil,
      interceptor: (any RequestInterceptor)? = nil, serverTrustManager: ServerTrustManager? = nil,
      redirectHandler: (any RedirectHandler)? = nil,
      cachedResponseHandler: (any CachedResponseHandler)? = nil, eventMonitors: [any EventMonitor] = []
    ) {
      name = rootQueue.label
      super.init(
        session: session, delegate: delegate, rootQueue: rootQueue,
        startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
        requestQueue: requestQueue, serializationQueue: serializationQueue, interceptor: interceptor,
        serverTrustManager: serverTrustManager, redirectHandler: redirectHandler,
        cachedResponseHandler: cachedResponseHandler, eventMonitors: eventMonitors)
    }
  }

  final class CountingDelegate: SessionDelegate, @unchecked Sendable {
    let completed = Counter()

    override func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      completed.count()
      super.urlSession(session, task: task, didCompleteWithError: error)
    }
  }

  @Test func aSessionOnTheLoop() async throws {
    let origin = Origin.inMemory()
    let session = NamedSession(configuration: .inMemory)
    #expect(try await session.request(origin.baseURL + "/bytes/10").serializingData().value.count == 10)
    #expect(session.made.value == 1 && session.name == session.rootQueue.label)
  }

  @Test func aSessionOnItsOwnQueues() async throws {
    let origin = Origin.inMemory()
    let session = NamedSession(configuration: .inMemory, rootQueue: DispatchQueue(label: "mine"))
    #expect(try await session.request(origin.baseURL + "/bytes/10").serializingData().value.count == 10)
    #expect(session.name == "mine")
  }

  @Test func aSessionAroundAURLSession() async throws {
    let origin = Origin.inMemory()
    let queue = DispatchQueue(label: "root")
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    operations.underlyingQueue = queue
    let delegate = CountingDelegate()
    let session = NamedSession(
      session: URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: operations),
      delegate: delegate, rootQueue: queue)
    #expect(try await session.request(origin.baseURL + "/bytes/10").serializingData().value.count == 10)
    #expect(session.made.value == 1 && delegate.completed.value == 1)
  }

  @Test func aDelegate() async throws {
    let origin = Origin.inMemory()
    let delegate = CountingDelegate()
    let session = Session(configuration: .inMemory, delegate: delegate)
    _ = await session.request(origin.baseURL + "/bytes/10").serializingData().response
    #expect(delegate.completed.value == 1)
  }

  @Test func aForm() async throws {
    final class MixedForm: MultipartFormData, @unchecked Sendable {
      override var contentType: String {
        get { "multipart/mixed; boundary=\(boundary)" }
        set { super.contentType = newValue }
      }
    }
    let origin = Origin.inMemory()
    let form = MixedForm()
    form.append(Data("a".utf8), withName: "a")
    let session = Session(configuration: .inMemory)
    _ = await session.upload(multipartFormData: form, to: origin.baseURL + "/post").serializingData().response
    #expect(origin.requests.last?.value("Content-Type")?.hasPrefix("multipart/mixed") == true)
  }

  @Test func interceptors() async throws {
    final class Stamp: Adapter, @unchecked Sendable {
      override func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
      ) {
        var request = urlRequest
        request.headers.add(name: "X-Stamp", value: "yes")
        super.adapt(request, for: session, completion: completion)
      }
    }
    final class Never: Retrier, @unchecked Sendable {
      let asked = Counter()
      override func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
      ) {
        asked.count()
        super.retry(request, for: session, dueTo: error, completion: completion)
      }
    }
    final class Both: Interceptor, @unchecked Sendable {}
    let origin = Origin.inMemory()
    let never = Never { _, _, _, completion in completion(.doNotRetry) }
    let session = Session(
      configuration: .inMemory,
      interceptor: Both(adapters: [Stamp { request, _, done in done(.success(request)) }], retriers: [never]))
    _ = await session.request(origin.baseURL + "/status/500").validate().serializingData().response
    #expect(origin.requests.last?.value("X-Stamp") == "yes")
    #expect(never.asked.value > 0)
  }

  @Test func retryPolicies() async throws {
    final class Once: RetryPolicy, @unchecked Sendable {
      init() { super.init(retryLimit: 1, exponentialBackoffScale: 0.001) }
      override func shouldRetry(request: Request, dueTo error: any Error) -> Bool { true }
    }
    final class Lost: ConnectionLostRetryPolicy, @unchecked Sendable {}
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory, interceptor: Once())
    let request = session.request(origin.baseURL + "/status/404").validate()
    _ = await request.serializingData().response
    #expect(request.retryCount == 1)
    #expect(Lost(retryLimit: 3).retryLimit == 3)
  }

  @Test func monitorsTrustAndEncoders() throws {
    final class Monitor: ClosureEventMonitor, @unchecked Sendable {
      let resumed = Counter()
      override func requestDidResume(_ request: Request) {
        resumed.count()
        super.requestDidResume(request)
      }
    }
    final class Lenient: ServerTrustManager, @unchecked Sendable {
      override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? { nil }
    }
    final class JSON: JSONParameterEncoder, @unchecked Sendable {
      override func encode<Parameters: Encodable>(
        _ parameters: Parameters?, into request: URLRequest
      ) throws -> URLRequest {
        var request = try super.encode(parameters, into: request)
        request.headers.update(.contentType("application/vnd.api+json"))
        return request
      }
    }
    final class Form: URLEncodedFormParameterEncoder, @unchecked Sendable {
      override func encode<Parameters: Encodable>(
        _ parameters: Parameters?, into request: URLRequest
      ) throws -> URLRequest {
        var request = try super.encode(parameters, into: request)
        request.headers.update(name: "X-Form", value: "yes")
        return request
      }
    }
    final class Reachability: NetworkReachabilityManager, @unchecked Sendable {
      override var status: NetworkReachabilityStatus { .reachable(.cellular) }
    }
    #expect(Reachability(host: "a.test")?.isReachableOnCellular == true)
    #expect(Reachability()?.isReachable == true)
    let monitor = Monitor(queue: .global())
    var composite: CompositeEventMonitor? {
      Session(configuration: .af.default.inMemory(), eventMonitors: [monitor]).eventMonitor
    }
    #expect(composite?.monitors.count == 1 && composite?.monitors.first is Monitor)
    #expect(try Lenient(evaluators: [:]).serverTrustEvaluator(forHost: "a.test") == nil)
    let request = try URLRequest(url: "http://host.test/", method: .post)
    #expect(try JSON().encode(["a": 1], into: request).headers["Content-Type"] == "application/vnd.api+json")
    #expect(try Form().encode(["a": 1], into: request).headers["X-Form"] == "yes")
  }
}
