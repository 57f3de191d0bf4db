import BluebonnetFoundation
import BluebonnetURLLoading

/// Told about everything a session and its requests do, for logging and measuring. Every method has a default
/// that does nothing.
///
/// Events of one request arrive in the order in which they happen, on the monitor's own queue.
public protocol EventMonitor: Sendable {
  /// Where the events are delivered; `.main` by default. Asked for once, when the monitor is added. On a serial queue the
  /// events of a request stay in order.
  var queue: DispatchQueue { get }

  // MARK: URL loading events

  /// The session takes no more tasks and the last one is over.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// The peer asked who the client is, or showed who it is itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)

  /// A part of a body left.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// A streamed upload needs its body, for the first time or again.
  func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)

  /// The peer sends the task elsewhere.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest)

  /// The timings of a task are complete.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// A task is over.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)

  /// A task waits for a network.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// The head of a response arrived.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)

  /// A part of a body arrived.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  /// A response is about to be stored.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  )

  /// A download goes on where an earlier one stopped.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)

  /// A part of a download reached its file.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

  /// A download is complete, in a file that is about to be moved.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

  // MARK: Request events

  /// The `URLRequest` as its maker wants it exists.
  func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)

  /// There is no `URLRequest`.
  func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)

  /// Adapters changed the `URLRequest`.
  func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)

  /// An adapter refused the `URLRequest`.
  func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)

  /// The `URLRequest` that will be sent exists.
  func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)

  /// The request got a task.
  func request(_ request: Request, didCreateTask task: URLSessionTask)

  /// The timings of an attempt are complete.
  func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics)

  /// The request failed before its task knew, as when trust in the server is refused.
  func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError)

  /// An attempt is over; another may follow.
  func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?)

  /// Another attempt begins.
  func requestIsRetrying(_ request: Request)

  /// No attempt will follow; the handlers come next.
  func requestDidFinish(_ request: Request)

  /// The request was resumed.
  func requestDidResume(_ request: Request)

  /// The request's task was resumed.
  func request(_ request: Request, didResumeTask task: URLSessionTask)

  /// The request was suspended.
  func requestDidSuspend(_ request: Request)

  /// The request's task was suspended.
  func request(_ request: Request, didSuspendTask task: URLSessionTask)

  /// The request was cancelled.
  func requestDidCancel(_ request: Request)

  /// The request's task was cancelled.
  func request(_ request: Request, didCancelTask task: URLSessionTask)

  // MARK: Events of the kinds of requests

  /// A validator judged the response.
  func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult)

  /// A raw handler's response exists.
  func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)

  /// A serializer made a response.
  func request<Value: Sendable>(
    _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)

  /// A validator judged the response to a stream request.
  func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult)

  /// A serializer made something of a part of the stream.
  func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)

  /// The body to upload exists.
  func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)

  /// There is no body to upload.
  func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)

  /// The stream of the body was handed over.
  func request(_ request: UploadRequest, didProvideInputStream stream: InputStream)

  /// The file reached its destination, or could not.
  func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>)

  /// The destination of the file is known.
  func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)

  /// A validator judged the response to a download.
  func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult)

  /// A raw handler's download response exists.
  func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)

  /// A serializer made a download response.
  func request<Value: Sendable>(
    _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
}
