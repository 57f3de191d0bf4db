import BluebonnetFoundation
import BluebonnetURLLoading

extension CompositeEventMonitor {
  /// Forwards the event.
  public func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult
  ) {
    tell {
      $0.request(request, didValidateRequest: urlRequest, response: response, data: data, withResult: result)
    }
  }

  /// Forwards the event.
  public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
    tell { $0.request(request, didParseResponse: response) }
  }

  /// Forwards the event.
  public func request<Value: Sendable>(
    _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
  ) {
    tell { $0.request(request, didParseResponse: response) }
  }

  /// Forwards the event.
  public func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult
  ) {
    tell { $0.request(request, didValidateRequest: urlRequest, response: response, withResult: result) }
  }

  /// Forwards the event.
  public func request<Value: Sendable>(
    _ request: DataStreamRequest, didParseStream result: Result<Value, AFError>
  ) {
    tell { $0.request(request, didParseStream: result) }
  }

  /// Forwards the event.
  public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
    tell { $0.request(request, didCreateUploadable: uploadable) }
  }

  /// Forwards the event.
  public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
    tell { $0.request(request, didFailToCreateUploadableWithError: error) }
  }

  /// Forwards the event.
  public func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
    // Monitors may look at the stream; only the session reads it.
    nonisolated(unsafe) let stream = stream
    tell { $0.request(request, didProvideInputStream: stream) }
  }

  /// Forwards the event.
  public func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>
  ) {
    tell { $0.request(request, didFinishDownloadingUsing: task, with: result) }
  }

  /// Forwards the event.
  public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
    tell { $0.request(request, didCreateDestinationURL: url) }
  }

  /// Forwards the event.
  public func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult
  ) {
    tell {
      $0.request(
        request, didValidateRequest: urlRequest, response: response, fileURL: fileURL, withResult: result)
    }
  }

  /// Forwards the event.
  public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
  {
    tell { $0.request(request, didParseResponse: response) }
  }

  /// Forwards the event.
  public func request<Value: Sendable>(
    _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
  ) {
    tell { $0.request(request, didParseResponse: response) }
  }
}
