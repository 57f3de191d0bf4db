// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import Logging

  /// Writes requests, responses, redirects, retries and failures to a `Logger` of swift-log.
  ///
  /// ```swift
  /// let session = Session(eventMonitors: [LoggingMonitor(logger: Logger(label: "http"))])
  /// ```
  ///
  /// Each line has metadata: `http.method` and `http.url`, those of the attempt before any redirect; `http.final_url`, the address
  /// that redirects have led to, for responses and failures after them;
  /// `http.status`, `http.request.body.size`, `http.response.body.size` and `http.duration` (seconds) as far as there was a response;
  /// `http.attempt` from 1, and `http.request_id`, the request's `Request.id`; of failures `error`, a sentence, and `error.kind`, a word.
  ///
  /// URLs are written without user information, with `?…` in place of the query and without the fragment. Their paths are
  /// written as they are. No field is written but those on the list of the initializer, and no body. The sentences of
  /// `AFError` keep to the same rules; the text of an error that your own adapter, validator or serializer throws is
  /// written as well.
  ///
  /// No value can pass for the end of a line: control and format characters are written as `\u{…}`. Long values are cut: URLs behind
  /// 300 bytes, values of fields behind 1,000, sentences of errors behind 4,000.
  public final class LoggingMonitor: AttemptMonitor {
    /// The queue on which the events are delivered, and the lines written: a serial one of the monitor's own.
    public let queue = DispatchQueue(label: "bluebonnet.logging")
    /// The logger.
    public let logger: Logger
    /// The level of each kind of line.
    public let levels: Levels
    /// The names of the fields to be written, in lower case.
    let fields: [String]
    /// The failures of attempts, until they are written.
    public let recorder = AttemptRecorder()

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - logger: Takes the lines.
    ///   - levels: The level of each kind of line.
    ///   - fields: The names of the fields of requests and responses to be written, as
    ///             `http.request.header.<name>` and `http.response.header.<name>`. Any name may be on the list, `Authorization` and
    ///             `Cookie` too; none is by default.
    public init(logger: Logger, levels: Levels = Levels(), fields: Set<String> = []) {
      self.logger = logger
      self.levels = levels
      self.fields = Set(fields.map { $0.lowercased() }).sorted()
    }

    /// Whether a line of this level is written.
    func writes(at level: Logger.Level?) -> Bool { level.map { $0 >= logger.logLevel } ?? false }

    func write(_ message: Logger.Message, at level: Logger.Level?, _ metadata: Logger.Metadata) {
      if let level { logger.log(level: level, message, metadata: metadata) }
    }
  }

  extension LoggingMonitor {
    /// The level of each kind of line; `nil` for lines that are not written.
    public struct Levels: Sendable, Hashable {
      /// An attempt is about to be sent; `.debug` by default.
      public var request: Logger.Level?
      /// An attempt has ended with a response, whatever its status; `.info` by default.
      public var response: Logger.Level?
      /// The server has answered with a redirect; `.debug` by default.
      public var redirect: Logger.Level?
      /// A retrier has asked for another attempt; `.notice` by default.
      public var retry: Logger.Level?
      /// A request has failed, for good, or a serializer; `.warning` by default.
      public var failure: Logger.Level?
      /// A request was cancelled by the program; `.debug` by default.
      public var cancellation: Logger.Level?

      /// Makes levels; see the properties for the meaning of each.
      public init(
        request: Logger.Level? = .debug, response: Logger.Level? = .info, redirect: Logger.Level? = .debug,
        retry: Logger.Level? = .notice, failure: Logger.Level? = .warning,
        cancellation: Logger.Level? = .debug
      ) {
        self.request = request
        self.response = response
        self.redirect = redirect
        self.retry = retry
        self.failure = failure
        self.cancellation = cancellation
      }
    }
  }

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
