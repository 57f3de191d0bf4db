#if Metrics
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation

  extension MetricsMonitor {
    /// Records an attempt that is over.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      record(recorder.endAttempt(of: request, task: task, error: error))
    }

    /// Counts the retry.
    public func requestIsRetrying(_ request: Request) {
      _ = recorder.beginRetry(of: request)
      count("retries", dimensions(of: request.lastRequest, nil, nil).withoutOutcome)
    }

    /// Counts the request.
    public func requestDidFinish(_ request: Request) {
      let error = recorder.finish(request)
      count("requests", dimensions(of: request.lastRequest, request.response, error).all)
    }

    /// Notes the failure for the end of the attempt.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
      recorder.note(error, of: request)
    }

    /// Notes the failure for the end of the attempt.
    public func request(
      _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
    ) {
      recorder.note(error, of: request)
    }

    /// Notes the failure for the end of the attempt.
    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
      recorder.note(error, of: request)
    }

    /// Notes the failure for the end of the attempt.
    public func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
      recorder.note(error, of: request)
    }

    /// Notes the cancellation for the end of the attempt.
    public func requestDidCancel(_ request: Request) {
      recorder.note(.explicitlyCancelled, of: request)
    }

    /// Notes the validator's objection for the end of the attempt.
    public func request(
      _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      data: Data?, withResult result: Request.ValidationResult
    ) {
      recorder.note(result, of: request)
    }

    /// Notes the validator's objection for the end of the attempt.
    public func request(
      _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      withResult result: Request.ValidationResult
    ) {
      recorder.note(result, of: request)
    }

    /// Notes the validator's objection for the end of the attempt.
    public func request(
      _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      fileURL: URL?, withResult result: Request.ValidationResult
    ) {
      recorder.note(result, of: request)
    }

    /// Notes the failure for the end of the attempt.
    public func request(
      _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
      with result: Result<URL, AFError>
    ) {
      if case .failure(let error) = result { recorder.note(error, of: request) }
    }

    /// Counts the failure of a serializer.
    public func request<Value: Sendable>(
      _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
    ) {
      countSerializerFailure(of: request, response.error)
    }

    /// Counts the failure of a serializer.
    public func request<Value: Sendable>(
      _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
    ) {
      countSerializerFailure(of: request, response.error)
    }

    /// Counts the failure of a stream's serializer.
    public func request<Value: Sendable>(
      _ request: DataStreamRequest, didParseStream result: Result<Value, AFError>
    ) {
      guard case .failure = result else { return }
      count("serializer_failures", dimensions(of: request.lastRequest, nil, nil).withoutOutcome)
    }

    private func countSerializerFailure(of request: Request, _ error: AFError?) {
      guard recorder.serializerFailure(of: request, error) != nil else { return }
      count("serializer_failures", dimensions(of: request.lastRequest, nil, nil).withoutOutcome)
    }
  }
#endif
