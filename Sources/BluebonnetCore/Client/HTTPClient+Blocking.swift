// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

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
