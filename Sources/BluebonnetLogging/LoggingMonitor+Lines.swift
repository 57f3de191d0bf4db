// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import Logging

  extension LoggingMonitor {
    func writeResponse(of request: Request, _ report: AttemptReport, from finalURL: URL?) {
      guard let response = report.response, writes(at: levels.response) else { return }
      var metadata = metadata(of: request, report.task.originalRequest, attempt: report.number)
      Self.add(finalURL, to: &metadata)
      metadata["http.status"] = "\(response.statusCode)"
      metadata["http.request.body.size"] = "\(report.sentBytes)"
      metadata["http.response.body.size"] = "\(report.receivedBytes)"
      if let duration = report.duration { metadata["http.duration"] = "\(duration)" }
      addFields(of: response, to: &metadata)
      write("HTTP response", at: levels.response, metadata)
    }

    func writeRetry(of request: Request, after error: AFError?) {
      guard writes(at: levels.retry) else { return }
      var metadata = metadata(of: request, request.lastRequest, attempt: recorder.number(of: request))
      if let error { Self.add(error, to: &metadata) }
      write("HTTP retry", at: levels.retry, metadata)
    }

    /// - Parameter finalURL: The address that redirects have led to; by default as noted at the end of the attempt.
    func writeFailure(of request: Request, _ error: AFError, from finalURL: URL? = nil) {
      let level = error.isExplicitlyCancelledError ? levels.cancellation : levels.failure
      guard writes(at: level) else { return }
      var metadata = metadata(of: request, request.lastRequest, attempt: recorder.number(of: request))
      Self.add(finalURL ?? recorder.finalURL(of: request), to: &metadata)
      if let status = error.refusedStatus { metadata["http.status"] = "\(status)" }
      Self.add(error, to: &metadata)
      write(error.isExplicitlyCancelledError ? "HTTP cancellation" : "HTTP failure", at: level, metadata)
    }

    /// The failure of a serializer, which the request knows nothing of.
    func writeSerializerFailure(of request: Request, _ error: AFError?) {
      if let failure = recorder.serializerFailure(of: request, error) { writeFailure(of: request, failure) }
    }
  }
#endif
