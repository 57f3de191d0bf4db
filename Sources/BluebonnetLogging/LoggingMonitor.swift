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
#endif
