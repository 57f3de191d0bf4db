// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension CompositeEventMonitor {
  /// Tells every monitor, on its own queue, that a validator has accepted or refused the response.
  public func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult
  ) {
    tell {
      $0.request(request, didValidateRequest: urlRequest, response: response, data: data, withResult: result)
    }
  }

  /// Tells every monitor, on its own queue, that a response without a serializer was made.
  public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
    tell { $0.request(request, didParseResponse: response) }
  }

  /// Tells every monitor, on its own queue, that a serializer has made a value of the body, or failed.
  public func request<Value: Sendable>(
    _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
  ) {
    tell { $0.request(request, didParseResponse: response) }
  }

  /// Tells every monitor, on its own queue, that a validator has accepted or refused a streamed response.
  public func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult
  ) {
    tell { $0.request(request, didValidateRequest: urlRequest, response: response, withResult: result) }
  }

  /// Tells every monitor, on its own queue, that a stream serializer has made a value of a part, or failed.
  public func request<Value: Sendable>(
    _ request: DataStreamRequest, didParseStream result: Result<Value, AFError>
  ) {
    tell { $0.request(request, didParseStream: result) }
  }

  /// Tells every monitor, on its own queue, that the body to upload was made.
  public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
    tell { $0.request(request, didCreateUploadable: uploadable) }
  }

  /// Tells every monitor, on its own queue, that the body to upload could not be made.
  public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
    tell { $0.request(request, didFailToCreateUploadableWithError: error) }
  }

  /// Tells every monitor, on its own queue, that the stream of an upload was handed to the task.
  public func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
    // Monitors may look at the stream; only the session reads it.
    nonisolated(unsafe) let stream = stream
    tell { $0.request(request, didProvideInputStream: stream) }
  }

  /// Tells every monitor, on its own queue, that the file of a download was moved, or could not be.
  public func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>
  ) {
    tell { $0.request(request, didFinishDownloadingUsing: task, with: result) }
  }

  /// Tells every monitor, on its own queue, that the destination of a download is known.
  public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
    tell { $0.request(request, didCreateDestinationURL: url) }
  }

  /// Tells every monitor, on its own queue, that a validator has accepted or refused the response of a download.
  public func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult
  ) {
    tell {
      $0.request(
        request, didValidateRequest: urlRequest, response: response, fileURL: fileURL, withResult: result)
    }
  }

  /// Tells every monitor, on its own queue, that a download response without a serializer was made.
  public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
  {
    tell { $0.request(request, didParseResponse: response) }
  }

  /// Tells every monitor, on its own queue, that a serializer has made a value of a downloaded file, or failed.
  public func request<Value: Sendable>(
    _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
  ) {
    tell { $0.request(request, didParseResponse: response) }
  }
}
