// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTransport

/// Sends HTTP/1.1 requests, and uses connections again.
///
/// ```swift
/// let client = try HTTPClient()
/// let response = try await client.send(.get("https://example.org/"))
/// print(response.status, response.body.count)
/// ```
///
/// A client owns its connections and the one thread that serves them. Make one, and use it for all requests, from any task or
/// thread. When the last reference goes, its idle connections are closed and its thread ends; requests that are under way, and
/// response bodies that are being read, keep it until they end.
///
/// Neither Foundation nor proxies, cookies, caches or authentication other than Basic in a URL: those are the module `Bluebonnet`'s.
public final class HTTPClient: Sendable {
  /// The client's settings.
  public let configuration: Configuration

  let loop: EventLoop
  let pool: ConnectionPool
  let heads: RequestBuilder

  /// Makes a client. Nothing is connected, and no certificate of the system's is read, before the first request asks for it.
  ///
  /// - Parameter configuration: Default: see each of its members.
  /// - Throws: ``HTTPClientError/Code/invalidConfiguration``, with the member that cannot be honoured.
  public init(_ configuration: Configuration = Configuration()) throws(HTTPClientError) {
    let settings = try ConnectionPool.Configuration(configuration)
    heads = try RequestBuilder(configuration)
    self.configuration = configuration
    loop = EventLoop(name: "bluebonnet-core")
    pool = ConnectionPool(configuration: settings, loop: loop)
  }

  deinit {
    // Nothing is under way: a request keeps the client. The last reference may go in the loop's own thread, which does not
    // wait then.
    loop.execute { [pool] in pool.invalidate() }
    loop.stopLater()
  }
}

extension HTTPClient {
  /// The same as ``send(_:)`` for programs without asynchronous code: the calling thread waits.
  ///
  /// A body that is a stream is produced by a task meanwhile.
  @available(*, noasync, message: "use send(_:), which does not block a thread of the concurrency pool")
  public func sendBlocking(_ request: Request) throws(HTTPClientError) -> Response {
    let call = try Call(request, of: self)
    let result: Result<Response, HTTPClientError> = Awaited.value(on: loop) { answer in
      call.start(for: Gathering(limit: configuration.maximumBodySize, answer))
    }
    return try result.get()
  }
}
