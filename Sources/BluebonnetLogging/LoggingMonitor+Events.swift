// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetFoundation
  import Logging

  extension LoggingMonitor {
    /// Writes that an attempt is about to be sent.
    public func request(_ request: Request, didCreateTask task: URLSessionTask) {
      guard writes(at: levels.request) else { return }
      let sent = task.originalRequest
      var metadata = metadata(of: request, sent, attempt: recorder.number(of: request))
      addFields(of: sent, to: &metadata)
      write("HTTP request", at: levels.request, metadata)
    }

    /// Writes where a redirect leads, before it is followed.
    public func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest
    ) {
      guard writes(at: levels.redirect) else { return }
      var metadata = Self.address(of: request)
      metadata["http.status"] = "\(response.statusCode)"
      addFields(of: response, to: &metadata)
      write("HTTP redirect", at: levels.redirect, metadata)
    }

    /// Writes the response of an attempt that is over.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      let report = recorder.endAttempt(of: request, task: task, error: error)
      let finalURL = report.finalURL
      writeResponse(of: request, report, from: finalURL)
      if let finalURL { recorder.note(finalURL: finalURL, of: request) }
      if let error { recorder.note(error, of: request) }
    }

    /// Writes that another attempt begins, and why.
    public func requestIsRetrying(_ request: Request) {
      let error = recorder.beginRetry(of: request)
      writeRetry(of: request, after: error)
    }

    /// Writes the request's failure, if it has failed.
    public func requestDidFinish(_ request: Request) {
      if let error = recorder.finish(request) { writeFailure(of: request, error) }
    }

    /// Writes the failure of a serializer.
    public func request<Value: Sendable>(
      _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
    ) {
      writeSerializerFailure(of: request, response.error)
    }

    /// Writes the failure of a serializer.
    public func request<Value: Sendable>(
      _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
    ) {
      writeSerializerFailure(of: request, response.error)
    }

    /// Writes the failure of a stream's serializer.
    public func request<Value: Sendable>(
      _ request: DataStreamRequest, didParseStream result: Result<Value, AFError>
    ) {
      guard case .failure(let error) = result else { return }
      writeFailure(of: request, error, from: recorder.currentFinalURL(of: request))
    }
  }
#endif
