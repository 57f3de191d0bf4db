import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: like any open class of closures it is configured first and shared afterwards.
/// A monitor made of closures: set those you care about, before the first request.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
  /// The session takes no more tasks and the last one is over.
  open var sessionDidBecomeInvalidWithError: (@Sendable (URLSession, (any Error)?) -> Void)?
  /// The peer asked who the client is, or showed who it is itself.
  open var taskDidReceiveChallenge:
    (@Sendable (URLSession, URLSessionTask, URLAuthenticationChallenge) -> Void)?
  /// A part of a body left.
  open var taskDidSendBodyData: (@Sendable (URLSession, URLSessionTask, Int64, Int64, Int64) -> Void)?
  /// A streamed upload needs its body, for the first time or again.
  open var taskNeedNewBodyStream: (@Sendable (URLSession, URLSessionTask) -> Void)?
  /// The peer sends the task elsewhere.
  open var taskWillPerformHTTPRedirection:
    (@Sendable (URLSession, URLSessionTask, HTTPURLResponse, URLRequest) -> Void)?
  /// The timings of a task are complete.
  open var taskDidFinishCollectingMetrics:
    (@Sendable (URLSession, URLSessionTask, URLSessionTaskMetrics) -> Void)?
  /// A task is over.
  open var taskDidComplete: (@Sendable (URLSession, URLSessionTask, (any Error)?) -> Void)?
  /// A task waits for a network.
  open var taskIsWaitingForConnectivity: (@Sendable (URLSession, URLSessionTask) -> Void)?
  /// The head of a response arrived.
  open var dataTaskDidReceiveResponse: (@Sendable (URLSession, URLSessionDataTask, URLResponse) -> Void)?
  /// A part of a body arrived.
  open var dataTaskDidReceiveData: (@Sendable (URLSession, URLSessionDataTask, Data) -> Void)?
  /// A response is about to be stored.
  open var dataTaskWillCacheResponse: (@Sendable (URLSession, URLSessionDataTask, CachedURLResponse) -> Void)?
  /// A download goes on where an earlier one stopped.
  open var downloadTaskDidResumeAtOffset:
    (@Sendable (URLSession, URLSessionDownloadTask, Int64, Int64) -> Void)?
  /// A part of a download reached its file.
  open var downloadTaskDidWriteData:
    (@Sendable (URLSession, URLSessionDownloadTask, Int64, Int64, Int64) -> Void)?
  /// A download is complete, in a file that is about to be moved.
  open var downloadTaskDidFinishDownloadingToURL:
    (@Sendable (URLSession, URLSessionDownloadTask, URL) -> Void)?
  /// The `URLRequest` as its maker wants it exists.
  open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
  /// There is no `URLRequest`.
  open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
  /// Adapters changed the `URLRequest`.
  open var requestDidAdaptInitialRequestToAdaptedRequest:
    (@Sendable (Request, URLRequest, URLRequest) -> Void)?
  /// An adapter refused the `URLRequest`.
  open var requestDidFailToAdaptURLRequestWithError: (@Sendable (Request, URLRequest, AFError) -> Void)?
  /// The `URLRequest` that will be sent exists.
  open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
  /// The request got a task.
  open var requestDidCreateTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// The timings of an attempt are complete.
  open var requestDidGatherMetrics: (@Sendable (Request, URLSessionTaskMetrics) -> Void)?
  /// The request failed before its task knew, as when trust in the server is refused.
  open var requestDidFailTaskEarlyWithError: (@Sendable (Request, URLSessionTask, AFError) -> Void)?
  /// An attempt is over; another may follow.
  open var requestDidCompleteTaskWithError: (@Sendable (Request, URLSessionTask, AFError?) -> Void)?
  /// Another attempt begins.
  open var requestIsRetrying: (@Sendable (Request) -> Void)?
  /// No attempt will follow; the handlers come next.
  open var requestDidFinish: (@Sendable (Request) -> Void)?
  /// The request was resumed.
  open var requestDidResume: (@Sendable (Request) -> Void)?
  /// The request's task was resumed.
  open var requestDidResumeTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// The request was suspended.
  open var requestDidSuspend: (@Sendable (Request) -> Void)?
  /// The request's task was suspended.
  open var requestDidSuspendTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// The request was cancelled.
  open var requestDidCancel: (@Sendable (Request) -> Void)?
  /// The request's task was cancelled.
  open var requestDidCancelTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// A validator judged the response.
  open var requestDidValidateRequestResponseDataWithResult:
    (@Sendable (DataRequest, URLRequest?, HTTPURLResponse, Data?, Request.ValidationResult) -> Void)?
  /// A raw handler's response exists.
  open var requestDidParseResponse: (@Sendable (DataRequest, DataResponse<Data?, AFError>) -> Void)?
  /// A validator judged the response to a stream request.
  open var requestDidValidateRequestResponseWithResult:
    (@Sendable (DataStreamRequest, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
  /// The body to upload exists.
  open var requestDidCreateUploadable: (@Sendable (UploadRequest, UploadRequest.Uploadable) -> Void)?
  /// There is no body to upload.
  open var requestDidFailToCreateUploadableWithError: (@Sendable (UploadRequest, AFError) -> Void)?
  /// The stream of the body was handed over.
  open var requestDidProvideInputStream: (@Sendable (UploadRequest, InputStream) -> Void)?
  /// The file reached its destination, or could not.
  open var requestDidFinishDownloadingUsingTaskWithResult:
    (@Sendable (DownloadRequest, URLSessionTask, Result<URL, AFError>) -> Void)?
  /// The destination of the file is known.
  open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
  /// A validator judged the response to a download.
  open var requestDidValidateRequestResponseFileURLWithResult:
    (@Sendable (DownloadRequest, URLRequest?, HTTPURLResponse, URL?, Request.ValidationResult) -> Void)?
  /// A raw handler's download response exists.
  open var requestDidParseDownloadResponse:
    (@Sendable (DownloadRequest, DownloadResponse<URL?, AFError>) -> Void)?

  /// Where the closures are called.
  public let queue: DispatchQueue

  /// Makes a monitor without closures.
  ///
  /// - Parameter queue: Where the closures are called.
  public init(queue: DispatchQueue = .main) {
    self.queue = queue
  }

  /// Calls `sessionDidBecomeInvalidWithError`.
  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    sessionDidBecomeInvalidWithError?(session, error)
  }
  /// Calls `taskDidReceiveChallenge`.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) { taskDidReceiveChallenge?(session, task, challenge) }
  /// Calls `taskDidSendBodyData`.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { taskDidSendBodyData?(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend) }
  /// Calls `taskNeedNewBodyStream`.
  open func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
    taskNeedNewBodyStream?(session, task)
  }
  /// Calls `taskWillPerformHTTPRedirection`.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) { taskWillPerformHTTPRedirection?(session, task, response, request) }
  /// Calls `taskDidFinishCollectingMetrics`.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) { taskDidFinishCollectingMetrics?(session, task, metrics) }
  /// Calls `taskDidComplete`.
  open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
  { taskDidComplete?(session, task, error) }
  /// Calls `taskIsWaitingForConnectivity`.
  open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    taskIsWaitingForConnectivity?(session, task)
  }
  /// Calls `dataTaskDidReceiveResponse`.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)
  { dataTaskDidReceiveResponse?(session, dataTask, response) }
  /// Calls `dataTaskDidReceiveData`.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    dataTaskDidReceiveData?(session, dataTask, data)
  }
  /// Calls `dataTaskWillCacheResponse`.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) { dataTaskWillCacheResponse?(session, dataTask, proposedResponse) }
  /// Calls `downloadTaskDidResumeAtOffset`.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) { downloadTaskDidResumeAtOffset?(session, downloadTask, fileOffset, expectedTotalBytes) }
  /// Calls `downloadTaskDidWriteData`.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    downloadTaskDidWriteData?(
      session, downloadTask, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
  }
  /// Calls `downloadTaskDidFinishDownloadingToURL`.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) { downloadTaskDidFinishDownloadingToURL?(session, downloadTask, location) }
  /// Calls `requestDidCreateInitialURLRequest`.
  open func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
    requestDidCreateInitialURLRequest?(request, urlRequest)
  }
  /// Calls `requestDidFailToCreateURLRequestWithError`.
  open func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
    requestDidFailToCreateURLRequestWithError?(request, error)
  }
  /// Calls `requestDidAdaptInitialRequestToAdaptedRequest`.
  open func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
  ) { requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest) }
  /// Calls `requestDidFailToAdaptURLRequestWithError`.
  open func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
  ) { requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error) }
  /// Calls `requestDidCreateURLRequest`.
  open func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
    requestDidCreateURLRequest?(request, urlRequest)
  }
  /// Calls `requestDidCreateTask`.
  open func request(_ request: Request, didCreateTask task: URLSessionTask) {
    requestDidCreateTask?(request, task)
  }
  /// Calls `requestDidGatherMetrics`.
  open func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
    requestDidGatherMetrics?(request, metrics)
  }
  /// Calls `requestDidFailTaskEarlyWithError`.
  open func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
    requestDidFailTaskEarlyWithError?(request, task, error)
  }
  /// Calls `requestDidCompleteTaskWithError`.
  open func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
    requestDidCompleteTaskWithError?(request, task, error)
  }
  /// Calls `requestIsRetrying`.
  open func requestIsRetrying(_ request: Request) { requestIsRetrying?(request) }
  /// Calls `requestDidFinish`.
  open func requestDidFinish(_ request: Request) { requestDidFinish?(request) }
  /// Calls `requestDidResume`.
  open func requestDidResume(_ request: Request) { requestDidResume?(request) }
  /// Calls `requestDidResumeTask`.
  open func request(_ request: Request, didResumeTask task: URLSessionTask) {
    requestDidResumeTask?(request, task)
  }
  /// Calls `requestDidSuspend`.
  open func requestDidSuspend(_ request: Request) { requestDidSuspend?(request) }
  /// Calls `requestDidSuspendTask`.
  open func request(_ request: Request, didSuspendTask task: URLSessionTask) {
    requestDidSuspendTask?(request, task)
  }
  /// Calls `requestDidCancel`.
  open func requestDidCancel(_ request: Request) { requestDidCancel?(request) }
  /// Calls `requestDidCancelTask`.
  open func request(_ request: Request, didCancelTask task: URLSessionTask) {
    requestDidCancelTask?(request, task)
  }
  /// Calls `requestDidValidateRequestResponseDataWithResult`.
  open func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult
  ) { requestDidValidateRequestResponseDataWithResult?(request, urlRequest, response, data, result) }
  /// Calls `requestDidParseResponse`.
  open func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
    requestDidParseResponse?(request, response)
  }
  /// Calls `requestDidValidateRequestResponseWithResult`.
  open func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult
  ) { requestDidValidateRequestResponseWithResult?(request, urlRequest, response, result) }
  /// Calls `requestDidCreateUploadable`.
  open func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
    requestDidCreateUploadable?(request, uploadable)
  }
  /// Calls `requestDidFailToCreateUploadableWithError`.
  open func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
    requestDidFailToCreateUploadableWithError?(request, error)
  }
  /// Calls `requestDidProvideInputStream`.
  open func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
    requestDidProvideInputStream?(request, stream)
  }
  /// Calls `requestDidFinishDownloadingUsingTaskWithResult`.
  open func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>
  ) { requestDidFinishDownloadingUsingTaskWithResult?(request, task, result) }
  /// Calls `requestDidCreateDestinationURL`.
  open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
    requestDidCreateDestinationURL?(request, url)
  }
  /// Calls `requestDidValidateRequestResponseFileURLWithResult`.
  open func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult
  ) { requestDidValidateRequestResponseFileURLWithResult?(request, urlRequest, response, fileURL, result) }
  /// Calls `requestDidParseDownloadResponse`.
  open func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
    requestDidParseDownloadResponse?(request, response)
  }
}
