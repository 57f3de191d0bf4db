// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// What a load tells the listener of its task.
package enum LoadEvent: Sendable {
  // MARK: The request

  /// There is no way to the server; the task waits.
  case waitingForConnectivity
  /// A request's head goes out. Told if the listener hears transmissions.
  indirect case sending(head: Data, URLSessionConnection)
  /// So many bytes of the body have been sent, with which there are `total` of `expected`.
  case sent(Int64, total: Int64, expected: Int64)

  // MARK: Responses that are not the task's

  /// An interim response (1xx).
  case interim(HTTPURLResponse)
  /// A proxy has answered to being asked for a tunnel.
  case tunnelResponse(HTTPURLResponse)
  /// It will be answered with credentials, or is passed over. Told if the listener hears transmissions.
  case passedOver(HTTPURLResponse)

  // MARK: The body of a data task

  /// A piece of a body of `length` bytes, or of one of unknown length (`NSURLSessionTransferSizeUnknown`).
  case data(Data, of: Int64)
  /// The task goes on as a download.
  case becameDownload(URLSessionDownloadTask)

  // MARK: The file of a download

  /// It has so many bytes already, of `total`, or of `NSURLSessionTransferSizeUnknown`.
  case resumed(at: Int64, of: Int64)
  /// So many bytes have gone to it, with which there are `total` of `expected`.
  case written(Int64, total: Int64, expected: Int64)

  // MARK: A WebSocket

  case opened(subprotocol: String?)
  /// The server has closed it.
  case closed(URLSessionWebSocketTask.CloseCode, reason: Data?)

  // MARK: The end

  /// The measurements of a task with a completion handler, which hears everything else.
  case measured(URLSessionTaskMetrics)
  /// The last that is told.
  case completed((any Error)?, URLSessionTaskMetrics)
}

/// What a load asks the listener of its task, with the way for the answer: the load's own number of the question goes with it, so that an answer
/// to an earlier question, or a second one, does not count (`QuestionLog`).
package enum LoadQuestion: Sendable {
  /// The task's earliest date has come.
  case delayedRequest(URLRequest, @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)
  /// A streamed upload needs its body, for the first time or again.
  case bodyStream(@Sendable (InputStream?) -> Void)
  /// The server's trust is in question, or authentication is required.
  case challenge(
    URLAuthenticationChallenge, @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  /// The server sends the task elsewhere; nil makes the redirect the final response.
  case redirect(HTTPURLResponse, URLRequest, @Sendable (URLRequest?) -> Void)
  /// The head of a data task's final response has arrived; the body waits.
  case response(URLResponse, @Sendable (URLSession.ResponseDisposition) -> Void)
  /// The response of a data task may be stored; nil keeps it out of the cache. The end of the task waits.
  case storage(CachedURLResponse, @Sendable (CachedURLResponse?) -> Void)
  /// The body of a download is in a file, to be deleted after the answer. The end of the task waits.
  case file(URL, @Sendable () -> Void)
}
