// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// Hears what goes over the wire as it goes. An addition of this package, for programs that show it.
public protocol URLSessionTransmissionDelegate: URLSessionTaskDelegate {
  /// A request's head is about to be sent: each one of the task, after redirects and answers to challenges, too.
  ///
  /// - Parameters:
  ///   - session: The session of the request.
  ///   - task: The task that it belongs to.
  ///   - head: The bytes of the head, from the request line to the empty line. Credentials are among them.
  ///   - connection: The connection it goes over.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection)

  /// A response is not the task's, because the load goes on: with credentials, for the origin (401), or for a proxy that is
  /// asked without a tunnel (407); by sending content that was held back (``RawRequestOptions/withholdsContent``); or
  /// without an expectation that the server does not meet (417). The next request is made when this returns. Does nothing
  /// by default.
  ///
  /// - Parameters:
  ///   - session: The session of the response.
  ///   - task: The task that it belongs to.
  ///   - response: The one that is passed over.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willProveAfter response: HTTPURLResponse)
}

extension URLSessionTransmissionDelegate {
  /// Does nothing.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willProveAfter response: HTTPURLResponse
  ) {}
}
