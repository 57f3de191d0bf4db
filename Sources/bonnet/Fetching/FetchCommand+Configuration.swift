import Bluebonnet
import Glibc

extension FetchCommand {
  /// Never, as far as a timer is concerned: without `--max-time` curl waits for ever, too.
  private static let noLimit: Double = 10 * 365 * 86_400
  /// As long as curl gives it.
  private static let usualConnectLimit: Double = 300

  /// A session that remembers nothing: neither cookies nor credentials nor responses.
  func configuration(for plan: RequestPlan) throws(CommandError) -> URLSessionConfiguration {
    let connection = options.connection
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.sendsDefaultFields = false
    configuration.decodesResponseContent = plan.isCompressed
    // Counted here, too, so as not to be stopped by the library before.
    configuration.redirectLimit = .max
    configuration.timeoutIntervalForRequest = Self.noLimit
    configuration.timeoutIntervalForResource = try Self.limit(connection.timeLimit) ?? Self.noLimit
    configuration.timeoutIntervalForConnection =
      try Self.limit(connection.connectTimeLimit) ?? Self.usualConnectLimit
    configuration.unixSocketPath = connection.socketPath
    if let path = connection.authorities {
      guard access(path, R_OK) == 0 else {
        throw CommandError(.badAuthorities, "cannot read the authorities in \(path)")
      }
      configuration.trustAnchors = .file(path: path)
    }
    return configuration
  }

  /// As with curl, 0 means no limit.
  private static func limit(_ seconds: Double?) throws(CommandError) -> Double? {
    guard let seconds, seconds != 0 else { return nil }
    guard seconds > 0, seconds < noLimit else { throw CommandError(.usage, "not a time: \(seconds)") }
    return seconds
  }
}
