// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension EventMonitor {
  /// The main queue, for monitors that do not name another.
  public var queue: DispatchQueue { .main }
  /// Does nothing. Implement it to hear that the `URLSession` is invalid and its last task over.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
  /// Does nothing. Implement it to hear that a challenge came, before it is answered.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) {}
  /// Does nothing. Implement it to hear that a part of the request's body was sent.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}
  /// Does nothing. Implement it to hear that a streamed upload needs its body.
  public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {}
  /// Does nothing. Implement it to hear that the server answered with a redirect, before it is followed.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) {}
  /// Does nothing. Implement it to hear that the measurements of a task are complete.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {}
  /// Does nothing. Implement it to hear that a task is over.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {}
  /// Does nothing. Implement it to hear that a task waits for a network.
  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
  /// Does nothing. Implement it to hear that the head of the response arrived.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) {}
  /// Does nothing. Implement it to hear that a part of the response's body arrived.
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
  /// Does nothing. Implement it to hear that a response is about to be stored.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) {}
  /// Does nothing. Implement it to hear that a download goes on where an earlier one stopped.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {}
  /// Does nothing. Implement it to hear that a part of a download was written to its file.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {}
  /// Does nothing. Implement it to hear that a download is complete in its temporary file.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {}
  /// Does nothing. Implement it to hear that the `URLRequest` was made, before adapters change it.
  public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {}
  /// Does nothing. Implement it to hear that no `URLRequest` could be made.
  public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {}
  /// Does nothing. Implement it to hear that the adapters have changed the `URLRequest`.
  public func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
  ) {}
  /// Does nothing. Implement it to hear that an adapter failed.
  public func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
  ) {}
  /// Does nothing. Implement it to hear that the `URLRequest` that will be sent is final.
  public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {}
  /// Does nothing. Implement it to hear that the request got the task of its next attempt.
  public func request(_ request: Request, didCreateTask task: URLSessionTask) {}
  /// Does nothing. Implement it to hear that the measurements of an attempt are complete.
  public func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {}
  /// Does nothing. Implement it to hear that the request failed before its task did.
  public func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {}
  /// Does nothing. Implement it to hear that an attempt is over.
  public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {}
  /// Does nothing. Implement it to hear that another attempt begins.
  public func requestIsRetrying(_ request: Request) {}
  /// Does nothing. Implement it to hear that no attempt will follow.
  public func requestDidFinish(_ request: Request) {}
  /// Does nothing. Implement it to hear that the request was resumed.
  public func requestDidResume(_ request: Request) {}
  /// Does nothing. Implement it to hear that the request's task was resumed.
  public func request(_ request: Request, didResumeTask task: URLSessionTask) {}
  /// Does nothing. Implement it to hear that the request was suspended.
  public func requestDidSuspend(_ request: Request) {}
  /// Does nothing. Implement it to hear that the request's task was suspended.
  public func request(_ request: Request, didSuspendTask task: URLSessionTask) {}
  /// Does nothing. Implement it to hear that the request was cancelled.
  public func requestDidCancel(_ request: Request) {}
  /// Does nothing. Implement it to hear that the request's task was cancelled.
  public func request(_ request: Request, didCancelTask task: URLSessionTask) {}
  /// Does nothing. Implement it to hear that a validator has accepted or refused the response.
  public func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult
  ) {}
  /// Does nothing. Implement it to hear that a response without a serializer was made.
  public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {}
  /// Does nothing. Implement it to hear that a serializer has made a value of the body, or failed.
  public func request<Value: Sendable>(
    _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
  ) {}
  /// Does nothing. Implement it to hear that a validator has accepted or refused a streamed response.
  public func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult
  ) {}
  /// Does nothing. Implement it to hear that a stream serializer has made a value of a part, or failed.
  public func request<Value: Sendable>(
    _ request: DataStreamRequest, didParseStream result: Result<Value, AFError>
  ) {}
  /// Does nothing. Implement it to hear that the body to upload was made.
  public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {}
  /// Does nothing. Implement it to hear that the body to upload could not be made.
  public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {}
  /// Does nothing. Implement it to hear that the stream of an upload was handed to the task.
  public func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {}
  /// Does nothing. Implement it to hear that the file of a download was moved, or could not be.
  public func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>
  ) {}
  /// Does nothing. Implement it to hear that the destination of a download is known.
  public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {}
  /// Does nothing. Implement it to hear that a validator has accepted or refused the response of a download.
  public func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult
  ) {}
  /// Does nothing. Implement it to hear that a download response without a serializer was made.
  public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
  {}
  /// Does nothing. Implement it to hear that a serializer has made a value of a downloaded file, or failed.
  public func request<Value: Sendable>(
    _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
  ) {}
}
