import Bluebonnet
import Glibc

/// What a session is made of. Transfers with equal settings share one, and with it its connections.
struct SessionSettings: Hashable, Sendable {
  var connectTimeLimit: Double?
  var socketPath: String?
  var continuePatience: Double?
  var decodes = false
  var authorities: String?
  var minimumTLS: SecurityOptions.Version?
  var maximumTLS: SecurityOptions.Version?
  var attemptDelay: Int?
  var connectionLimit = 6

  init(_ operation: Operation, parallelLimit: Int) {
    connectTimeLimit = operation.connection.connectTimeLimit
    socketPath = operation.connection.socketPath
    continuePatience = operation.request.continuePatience
    decodes = operation.request.asksForCompression
    authorities = operation.security.authorities
    minimumTLS = operation.security.minimum
    maximumTLS = operation.security.maximum
    attemptDelay = operation.connection.attemptDelay
    connectionLimit = max(6, parallelLimit)
  }

  /// Never, as far as a timer is concerned: without `--max-time` curl waits for ever, too.
  private static let noLimit: Double = 10 * 365 * 86_400
  /// As long as curl gives it.
  private static let usualConnectLimit: Double = 300

  /// A session that remembers nothing: cookies and credentials are the transfers' matter.
  func configuration() throws(CommandError) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.sendsDefaultFields = false
    configuration.decodesResponseContent = decodes
    // Redirects are the transfers' matter, too.
    configuration.redirectLimit = 1
    configuration.timeoutIntervalForRequest = Self.noLimit
    configuration.timeoutIntervalForResource = Self.noLimit
    configuration.timeoutIntervalForConnection = connectTimeLimit ?? Self.usualConnectLimit
    if let continuePatience { configuration.timeoutIntervalForContinue = continuePatience }
    if let attemptDelay { configuration.connectionAttemptDelay = Double(attemptDelay) / 1_000 }
    configuration.httpMaximumConnectionsPerHost = connectionLimit
    configuration.unixSocketPath = socketPath
    if let path = authorities {
      guard access(path, R_OK) == 0 else {
        throw CommandError(.badAuthorities, "cannot read the authorities in \(path)")
      }
      configuration.trustAnchors = .file(path: path)
    }
    if minimumTLS == .three { configuration.tlsMinimumSupportedProtocolVersion = .TLSv13 }
    if maximumTLS == .two { configuration.tlsMaximumSupportedProtocolVersion = .TLSv12 }
    return configuration
  }
}

/// The sessions of a command.
actor SessionKeeper {
  private var sessions: [SessionSettings: URLSession] = [:]

  func session(_ settings: SessionSettings) throws(CommandError) -> URLSession {
    if let session = sessions[settings] { return session }
    let session = URLSession(configuration: try settings.configuration())
    sessions[settings] = session
    return session
  }

  func finish() {
    for session in sessions.values { session.finishTasksAndInvalidate() }
    sessions = [:]
  }
}
