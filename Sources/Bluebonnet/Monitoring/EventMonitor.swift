// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Told about everything a session and its requests do, for logging and measuring. Every method has a default
/// that does nothing.
///
/// Events of one request arrive in the order in which they happen, on the monitor's own queue.
public protocol EventMonitor: Sendable {
  /// The queue on which the events are delivered; `.main` by default. Read once, when the monitor is added. On a serial queue the
  /// events of a request stay in order.
  ///
  /// Events that have come while the queue was busy are delivered together, one after the other: a handler must not wait for a later
  /// one, and a queue that a handler suspends rests behind the last of them.
  var queue: DispatchQueue { get }

  // MARK: URL loading events

  /// The `URLSession` takes no more tasks and its last one is over: sent once, after the session was invalidated. The
  /// error is `nil` unless something other than the program ended it.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// A challenge came: the server shows its certificates (the protection space has a `serverTrust`), or asks for a name
  /// and password. Sent before the session answers it.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)

  /// A part of the request's body was sent. All three numbers are bytes: of this part, sent so far, and expected in
  /// all: -1 (`NSURLSessionTransferSizeUnknown`) for a stream of unknown length.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// A streamed upload needs its body, for the first time or, after a redirect or a challenge, again.
  func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)

  /// The server answered with a redirect. `request` is what would be sent next; sent before a ``RedirectHandler`` is
  /// asked.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest)

  /// The measurements of a task are complete. Sent once for each task, before `didCompleteWithError`.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// A task is over, with its `URLError` if it failed. Sent once for each task.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)

  /// A task found no network, and waits for one because its configuration's `waitsForConnectivity` says so. Sent once
  /// for each wait, not for each attempt.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// The head of the final response arrived; interim ones (1xx) are not sent here.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)

  /// A part of the response's body arrived, with its content coding undone.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  /// A response may be stored in the `URLCache`. Sent before a ``CachedResponseHandler`` is asked.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  )

  /// A download goes on where an earlier one stopped. Both numbers are bytes.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)

  /// A part of a download was written to its file. All three numbers are bytes: of this part, written so far, and
  /// expected in all, -1 if unknown.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

  /// A download is complete, in a temporary file that is about to be moved.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

  // MARK: Request events

  /// The `URLRequest` was made, as its ``URLRequestConvertible`` wants it: before adapters change it.
  func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)

  /// No `URLRequest` could be made: the convertible, a parameter encoder or a modifier threw `error`, or the result
  /// cannot be sent.
  func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)

  /// The adapters have changed the `URLRequest`. Sent wherever the session or the request has an interceptor, also if
  /// that left it as it was.
  func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)

  /// An adapter failed, with the error that it gave.
  func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)

  /// The `URLRequest` that will be sent is final.
  func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)

  /// The request got the task of its next attempt.
  func request(_ request: Request, didCreateTask task: URLSessionTask)

  /// The measurements of an attempt are complete.
  func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics)

  /// The request failed before its task did, as when trust in the server is refused.
  func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError)

  /// An attempt is over, with its error if it failed; another may follow.
  func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?)

  /// A retrier asked for another attempt, which begins now.
  func requestIsRetrying(_ request: Request)

  /// The last attempt is over, and the response handlers come next. Comes again after another attempt, if one follows because a
  /// serializer's failure is retried.
  func requestDidFinish(_ request: Request)

  /// The request was resumed, by the program or by its first response handler.
  func requestDidResume(_ request: Request)

  /// The request's task was resumed.
  func request(_ request: Request, didResumeTask task: URLSessionTask)

  /// The request was suspended by the program.
  func requestDidSuspend(_ request: Request)

  /// The request's task was suspended.
  func request(_ request: Request, didSuspendTask task: URLSessionTask)

  /// The request was cancelled, by the program or by the library, as when a stream handler throws.
  func requestDidCancel(_ request: Request)

  /// The request's task was cancelled.
  func request(_ request: Request, didCancelTask task: URLSessionTask)

  // MARK: Events of the kinds of requests

  /// A validator has accepted or refused the response of a data or upload request. Sent once for each validator that
  /// ran. `data` is the whole body.
  func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult)

  /// A response handler without a serializer has its response: the body as bytes.
  func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)

  /// A serializer has made a value of the body, or failed.
  func request<Value: Sendable>(
    _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)

  /// A validator has accepted or refused the head of a streamed response.
  func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult)

  /// A stream serializer has made a value of a part of the body, or failed.
  func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)

  /// The body to upload was made, for this attempt.
  func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)

  /// The body to upload could not be made, as when a form's file cannot be read.
  func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)

  /// The stream of a streamed upload was handed to the task.
  func request(_ request: UploadRequest, didProvideInputStream stream: InputStream)

  /// The file of a complete download was moved to its destination, or could not be.
  func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>)

  /// The closure that names a download's destination has answered.
  func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)

  /// A validator has accepted or refused the response of a download. `fileURL` is where the file is now.
  func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult)

  /// A response handler of a download without a serializer has its response.
  func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)

  /// A serializer has made a value of a downloaded file, or failed.
  func request<Value: Sendable>(
    _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
}
