// SPDX-License-Identifier: MIT
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
