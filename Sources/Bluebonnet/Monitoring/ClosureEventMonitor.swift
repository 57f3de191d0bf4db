// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: like any open class of closures it is configured first and shared afterwards.
/// A monitor made of closures: set those you care about, before the first request.
///
/// Each method calls its closure, if that is set; an override that does not call `super` leaves the closure uncalled.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
  /// Called when the `URLSession` is invalid and its last task over; `nil` by default.
  open var sessionDidBecomeInvalidWithError: (@Sendable (URLSession, (any Error)?) -> Void)?
  /// Called when a challenge came, before it is answered; `nil` by default.
  open var taskDidReceiveChallenge:
    (@Sendable (URLSession, URLSessionTask, URLAuthenticationChallenge) -> Void)?
  /// Called when a part of the request's body was sent; `nil` by default.
  open var taskDidSendBodyData: (@Sendable (URLSession, URLSessionTask, Int64, Int64, Int64) -> Void)?
  /// Called when a streamed upload needs its body; `nil` by default.
  open var taskNeedNewBodyStream: (@Sendable (URLSession, URLSessionTask) -> Void)?
  /// Called when the server answered with a redirect, before it is followed; `nil` by default.
  open var taskWillPerformHTTPRedirection:
    (@Sendable (URLSession, URLSessionTask, HTTPURLResponse, URLRequest) -> Void)?
  /// Called when the measurements of a task are complete; `nil` by default.
  open var taskDidFinishCollectingMetrics:
    (@Sendable (URLSession, URLSessionTask, URLSessionTaskMetrics) -> Void)?
  /// Called when a task is over; `nil` by default.
  open var taskDidComplete: (@Sendable (URLSession, URLSessionTask, (any Error)?) -> Void)?
  /// Called when a task waits for a network; `nil` by default.
  open var taskIsWaitingForConnectivity: (@Sendable (URLSession, URLSessionTask) -> Void)?
  /// Called when the head of the response arrived; `nil` by default.
  open var dataTaskDidReceiveResponse: (@Sendable (URLSession, URLSessionDataTask, URLResponse) -> Void)?
  /// Called when a part of the response's body arrived; `nil` by default.
  open var dataTaskDidReceiveData: (@Sendable (URLSession, URLSessionDataTask, Data) -> Void)?
  /// Called when a response is about to be stored; `nil` by default.
  open var dataTaskWillCacheResponse: (@Sendable (URLSession, URLSessionDataTask, CachedURLResponse) -> Void)?
  /// Called when a download goes on where an earlier one stopped; `nil` by default.
  open var downloadTaskDidResumeAtOffset:
    (@Sendable (URLSession, URLSessionDownloadTask, Int64, Int64) -> Void)?
  /// Called when a part of a download was written to its file; `nil` by default.
  open var downloadTaskDidWriteData:
    (@Sendable (URLSession, URLSessionDownloadTask, Int64, Int64, Int64) -> Void)?
  /// Called when a download is complete in its temporary file; `nil` by default.
  open var downloadTaskDidFinishDownloadingToURL:
    (@Sendable (URLSession, URLSessionDownloadTask, URL) -> Void)?
  /// Called when the `URLRequest` was made, before adapters change it; `nil` by default.
  open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
  /// Called when no `URLRequest` could be made; `nil` by default.
  open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
  /// Called when the adapters have changed the `URLRequest`; `nil` by default.
  open var requestDidAdaptInitialRequestToAdaptedRequest:
    (@Sendable (Request, URLRequest, URLRequest) -> Void)?
  /// Called when an adapter failed; `nil` by default.
  open var requestDidFailToAdaptURLRequestWithError: (@Sendable (Request, URLRequest, AFError) -> Void)?
  /// Called when the `URLRequest` that will be sent is final; `nil` by default.
  open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
  /// Called when the request got the task of its next attempt; `nil` by default.
  open var requestDidCreateTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// Called when the measurements of an attempt are complete; `nil` by default.
  open var requestDidGatherMetrics: (@Sendable (Request, URLSessionTaskMetrics) -> Void)?
  /// Called when the request failed before its task did; `nil` by default.
  open var requestDidFailTaskEarlyWithError: (@Sendable (Request, URLSessionTask, AFError) -> Void)?
  /// Called when an attempt is over; `nil` by default.
  open var requestDidCompleteTaskWithError: (@Sendable (Request, URLSessionTask, AFError?) -> Void)?
  /// Called when another attempt begins; `nil` by default.
  open var requestIsRetrying: (@Sendable (Request) -> Void)?
  /// Called when no attempt will follow; `nil` by default.
  open var requestDidFinish: (@Sendable (Request) -> Void)?
  /// Called when the request was resumed; `nil` by default.
  open var requestDidResume: (@Sendable (Request) -> Void)?
  /// Called when the request's task was resumed; `nil` by default.
  open var requestDidResumeTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// Called when the request was suspended; `nil` by default.
  open var requestDidSuspend: (@Sendable (Request) -> Void)?
  /// Called when the request's task was suspended; `nil` by default.
  open var requestDidSuspendTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// Called when the request was cancelled; `nil` by default.
  open var requestDidCancel: (@Sendable (Request) -> Void)?
  /// Called when the request's task was cancelled; `nil` by default.
  open var requestDidCancelTask: (@Sendable (Request, URLSessionTask) -> Void)?
  /// Called when a validator has accepted or refused the response; `nil` by default.
  open var requestDidValidateRequestResponseDataWithResult:
    (@Sendable (DataRequest, URLRequest?, HTTPURLResponse, Data?, Request.ValidationResult) -> Void)?
  /// Called when a response without a serializer was made; `nil` by default.
  open var requestDidParseResponse: (@Sendable (DataRequest, DataResponse<Data?, AFError>) -> Void)?
  /// Called when a validator has accepted or refused a streamed response; `nil` by default.
  open var requestDidValidateRequestResponseWithResult:
    (@Sendable (DataStreamRequest, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
  /// Called when the body to upload was made; `nil` by default.
  open var requestDidCreateUploadable: (@Sendable (UploadRequest, UploadRequest.Uploadable) -> Void)?
  /// Called when the body to upload could not be made; `nil` by default.
  open var requestDidFailToCreateUploadableWithError: (@Sendable (UploadRequest, AFError) -> Void)?
  /// Called when the stream of an upload was handed to the task; `nil` by default.
  open var requestDidProvideInputStream: (@Sendable (UploadRequest, InputStream) -> Void)?
  /// Called when the file of a download was moved, or could not be; `nil` by default.
  open var requestDidFinishDownloadingUsingTaskWithResult:
    (@Sendable (DownloadRequest, URLSessionTask, Result<URL, AFError>) -> Void)?
  /// Called when the destination of a download is known; `nil` by default.
  open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
  /// Called when a validator has accepted or refused the response of a download; `nil` by default.
  open var requestDidValidateRequestResponseFileURLWithResult:
    (@Sendable (DownloadRequest, URLRequest?, HTTPURLResponse, URL?, Request.ValidationResult) -> Void)?
  /// Called when a download response without a serializer was made; `nil` by default.
  open var requestDidParseDownloadResponse:
    (@Sendable (DownloadRequest, DownloadResponse<URL?, AFError>) -> Void)?

  /// The queue on which the closures are called; `.main` unless another one was passed.
  public let queue: DispatchQueue

  /// Makes a monitor without closures.
  ///
  /// - Parameter queue: Where the closures are called.
  public init(queue: DispatchQueue = .main) {
    self.queue = queue
  }

  /// Calls ``sessionDidBecomeInvalidWithError``, if it is set.
  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    sessionDidBecomeInvalidWithError?(session, error)
  }
  /// Calls ``taskDidReceiveChallenge``, if it is set.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) { taskDidReceiveChallenge?(session, task, challenge) }
  /// Calls ``taskDidSendBodyData``, if it is set.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { taskDidSendBodyData?(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend) }
  /// Calls ``taskNeedNewBodyStream``, if it is set.
  open func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
    taskNeedNewBodyStream?(session, task)
  }
  /// Calls ``taskWillPerformHTTPRedirection``, if it is set.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) { taskWillPerformHTTPRedirection?(session, task, response, request) }
  /// Calls ``taskDidFinishCollectingMetrics``, if it is set.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) { taskDidFinishCollectingMetrics?(session, task, metrics) }
  /// Calls ``taskDidComplete``, if it is set.
  open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
  { taskDidComplete?(session, task, error) }
  /// Calls ``taskIsWaitingForConnectivity``, if it is set.
  open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    taskIsWaitingForConnectivity?(session, task)
  }
  /// Calls ``dataTaskDidReceiveResponse``, if it is set.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)
  { dataTaskDidReceiveResponse?(session, dataTask, response) }
  /// Calls ``dataTaskDidReceiveData``, if it is set.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    dataTaskDidReceiveData?(session, dataTask, data)
  }
  /// Calls ``dataTaskWillCacheResponse``, if it is set.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) { dataTaskWillCacheResponse?(session, dataTask, proposedResponse) }
  /// Calls ``downloadTaskDidResumeAtOffset``, if it is set.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) { downloadTaskDidResumeAtOffset?(session, downloadTask, fileOffset, expectedTotalBytes) }
  /// Calls ``downloadTaskDidWriteData``, if it is set.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    downloadTaskDidWriteData?(
      session, downloadTask, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
  }
  /// Calls ``downloadTaskDidFinishDownloadingToURL``, if it is set.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) { downloadTaskDidFinishDownloadingToURL?(session, downloadTask, location) }
  /// Calls ``requestDidCreateInitialURLRequest``, if it is set.
  open func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
    requestDidCreateInitialURLRequest?(request, urlRequest)
  }
  /// Calls ``requestDidFailToCreateURLRequestWithError``, if it is set.
  open func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
    requestDidFailToCreateURLRequestWithError?(request, error)
  }
  /// Calls ``requestDidAdaptInitialRequestToAdaptedRequest``, if it is set.
  open func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
  ) { requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest) }
  /// Calls ``requestDidFailToAdaptURLRequestWithError``, if it is set.
  open func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
  ) { requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error) }
  /// Calls ``requestDidCreateURLRequest``, if it is set.
  open func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
    requestDidCreateURLRequest?(request, urlRequest)
  }
  /// Calls ``requestDidCreateTask``, if it is set.
  open func request(_ request: Request, didCreateTask task: URLSessionTask) {
    requestDidCreateTask?(request, task)
  }
  /// Calls ``requestDidGatherMetrics``, if it is set.
  open func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
    requestDidGatherMetrics?(request, metrics)
  }
  /// Calls ``requestDidFailTaskEarlyWithError``, if it is set.
  open func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
    requestDidFailTaskEarlyWithError?(request, task, error)
  }
  /// Calls ``requestDidCompleteTaskWithError``, if it is set.
  open func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
    requestDidCompleteTaskWithError?(request, task, error)
  }
  /// Calls ``requestIsRetrying``, if it is set.
  open func requestIsRetrying(_ request: Request) { requestIsRetrying?(request) }
  /// Calls ``requestDidFinish``, if it is set.
  open func requestDidFinish(_ request: Request) { requestDidFinish?(request) }
  /// Calls ``requestDidResume``, if it is set.
  open func requestDidResume(_ request: Request) { requestDidResume?(request) }
  /// Calls ``requestDidResumeTask``, if it is set.
  open func request(_ request: Request, didResumeTask task: URLSessionTask) {
    requestDidResumeTask?(request, task)
  }
  /// Calls ``requestDidSuspend``, if it is set.
  open func requestDidSuspend(_ request: Request) { requestDidSuspend?(request) }
  /// Calls ``requestDidSuspendTask``, if it is set.
  open func request(_ request: Request, didSuspendTask task: URLSessionTask) {
    requestDidSuspendTask?(request, task)
  }
  /// Calls ``requestDidCancel``, if it is set.
  open func requestDidCancel(_ request: Request) { requestDidCancel?(request) }
  /// Calls ``requestDidCancelTask``, if it is set.
  open func request(_ request: Request, didCancelTask task: URLSessionTask) {
    requestDidCancelTask?(request, task)
  }
  /// Calls ``requestDidValidateRequestResponseDataWithResult``, if it is set.
  open func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult
  ) { requestDidValidateRequestResponseDataWithResult?(request, urlRequest, response, data, result) }
  /// Calls ``requestDidParseResponse``, if it is set.
  open func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
    requestDidParseResponse?(request, response)
  }
  /// Calls ``requestDidValidateRequestResponseWithResult``, if it is set.
  open func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult
  ) { requestDidValidateRequestResponseWithResult?(request, urlRequest, response, result) }
  /// Calls ``requestDidCreateUploadable``, if it is set.
  open func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
    requestDidCreateUploadable?(request, uploadable)
  }
  /// Calls ``requestDidFailToCreateUploadableWithError``, if it is set.
  open func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
    requestDidFailToCreateUploadableWithError?(request, error)
  }
  /// Calls ``requestDidProvideInputStream``, if it is set.
  open func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
    requestDidProvideInputStream?(request, stream)
  }
  /// Calls ``requestDidFinishDownloadingUsingTaskWithResult``, if it is set.
  open func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>
  ) { requestDidFinishDownloadingUsingTaskWithResult?(request, task, result) }
  /// Calls ``requestDidCreateDestinationURL``, if it is set.
  open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
    requestDidCreateDestinationURL?(request, url)
  }
  /// Calls ``requestDidValidateRequestResponseFileURLWithResult``, if it is set.
  open func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult
  ) { requestDidValidateRequestResponseFileURLWithResult?(request, urlRequest, response, fileURL, result) }
  /// Calls ``requestDidParseDownloadResponse``, if it is set.
  open func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
    requestDidParseDownloadResponse?(request, response)
  }
}
