// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// The listener of a task, told of it and asked about it, for its owner: a request of the API, or the delegates of a session.
///
/// Called on `executor`. On the loop's, it is told in loop context: it has to be quick there, and runs no code of the user's.
package protocol TaskListener: AnyObject, Sendable {
  /// The executor on which the listener is told and asked.
  var executor: CallbackExecutor { get }

  /// Whether `executor` is the loop's: then the listener is told at once.
  var isOnLoop: Bool { get }

  /// The name of the type with the handlers that answer, for messages to its author. Default: the listener's own.
  var ownerName: String { get }

  /// Something has happened to the task.
  func hear(_ event: LoadEvent, of task: URLSessionTask)

  /// The load waits for the answer. It is given once, at once or later, from any thread.
  func answer(_ question: LoadQuestion, of task: URLSessionTask)

  /// Whether the task has a credential of its own. Called on any thread. Default: false.
  func presentsCredential(for task: URLSessionTask) -> Bool

  // MARK: Questions in loop context, answered there

  /// Whether the listener wants to know what goes out.
  var hearsTransmission: Bool { get }

  /// Whether pieces of a data task's body are wanted at all.
  var takesData: Bool { get }

  /// Whether the listener puts the pieces of the body together, so that it is in memory as a whole in the end.
  func keepsBody(of task: URLSessionTask) -> Bool

  /// Tells of the head of a data task's final response a listener that lets its body come at once; one that wants to be asked answers
  /// false, and has not been told. Only where the listener's executor is the loop's. Default: false.
  func accepts(_ response: URLResponse, of task: URLSessionTask) -> Bool

  /// The owner's credential for this space, as far as it is known without a question. Default: nil.
  func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential?
}

extension TaskListener {
  package var isOnLoop: Bool { executor.isLoop }
  package var ownerName: String { "\(type(of: self))" }
  package var hearsTransmission: Bool { false }
  package func accepts(_ response: URLResponse, of task: URLSessionTask) -> Bool { false }
  package func presentsCredential(for task: URLSessionTask) -> Bool { false }
  package func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential? { nil }

  /// Has the listener hear of an event where it is told. Called while the loop is held.
  func tell(_ event: LoadEvent, of task: URLSessionTask) {
    assert(executor.isHeldIfLoop, "the loop is held")
    if isOnLoop { return hear(event, of: task) }
    executor.async { self.hear(event, of: task) }
  }

  /// Has the listener answer a question where it is asked. Called while the loop is held.
  func ask(_ question: LoadQuestion, of task: URLSessionTask) {
    assert(executor.isHeldIfLoop, "the loop is held")
    if isOnLoop { return answer(question, of: task) }
    executor.async { self.answer(question, of: task) }
  }
}

/// An event of a load, for the listener of its task.
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

/// A question of a load to the listener of its task, with the handler for the answer. The load tells its questions apart: an answer to
/// an earlier one, or a second answer, does not count (`QuestionLog`, or `SingleAnswer` where a question may be open beside others).
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
