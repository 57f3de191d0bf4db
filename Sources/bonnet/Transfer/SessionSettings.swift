import Bluebonnet
import Glibc

/// The settings of a session. Transfers with equal settings share one, and with it its connections.
struct SessionSettings: Hashable, Sendable {
  var connectTimeLimit: Double?
  var socketPath: String?
  var continuePatience: Double?
  var decodes = false
  var isRaw = false
  var usesHTTP10 = false
  var authorities: String?
  var authorityDirectory: String?
  var acceptsAnyCertificate = false
  var minimumTLS: SecurityOptions.Version?
  var maximumTLS: SecurityOptions.Version?
  var certificate = ClientCertificate()
  var ciphers: String?
  var suites: [String]?
  var groups: [String]?
  var resumesTLS = true
  var offersProtocol = true
  var attemptDelay: Int?
  var connectionLimit = 6
  var pins: [KeyPin] = []
  var checksStatus = false
  var revocationLists: String?
  var proxy: ProxyChoice?
  var acceptsAnyProxyCertificate = false
  var proxyAuthorities: String?
  var way: ConnectOverrides
  var family = ConnectionOptions.Family.any
  var networkInterface: String?
  var localPorts: ClosedRange<Int>?
  var keepAlive: Int?

  /// - Parameter address: What the session is for: the proxy depends on the scheme.
  init(_ operation: Operation, address: RequestAddress, parallelLimit: Int) throws(CommandError) {
    pins = operation.security.pins
    checksStatus = operation.security.checksStatus
    proxy = try ProxyChoice(operation, address: address)
    if address.needsProxy, proxy?.takesAbsoluteForm != true {
      throw CommandError(
        .unsupportedScheme,
        "the scheme \"\(address.scheme)\" needs an HTTP proxy (-x) that speaks it; http and https are supported"
      )
    }
    way = try ConnectOverrides(operation.connection, to: address)
    if proxy != nil, way.host != nil {
      throw CommandError(.usage, "--connect-to: a proxy finds its own way")
    }
    if operation.connection.family == .four, proxy == nil, way.host == nil, address.host.hasPrefix("[") {
      throw CommandError(.refused, "-4: \(address.host) is no IPv4 address")
    }
    acceptsAnyProxyCertificate = operation.proxy.acceptsAnyCertificate
    proxyAuthorities = operation.proxy.authorities
    family = operation.connection.family
    networkInterface = operation.connection.networkInterface
    localPorts = operation.connection.localPorts
    keepAlive = operation.connection.keepsAlive ? operation.connection.keepAliveTime ?? 60 : nil
    connectTimeLimit = operation.connection.connectTimeLimit
    socketPath = operation.connection.socketPath
    continuePatience = operation.request.continuePatience
    isRaw = operation.request.isRaw
    decodes = operation.request.asksForCompression && !isRaw
    usesHTTP10 = operation.request.usesHTTP10
    acceptsAnyCertificate = operation.security.acceptsAnyCertificate
    minimumTLS = operation.security.minimum
    maximumTLS = operation.security.maximum
    // Elsewhere, as with curl, these files may be missing.
    if address.scheme == "https" {
      authorities = operation.security.authorities
      authorityDirectory = operation.security.authorityDirectory
      revocationLists = operation.security.revocationLists
      certificate = operation.security.certificate
      if let maximumTLS, maximumTLS < max(.two, minimumTLS ?? .two) {
        throw CommandError(
          .noTLS, "--tls-max: nothing is left between the oldest version and the newest (RFC 8996)")
      }
    }
    ciphers = operation.security.ciphers
    suites = operation.security.suites
    groups = operation.security.groups
    resumesTLS = operation.security.resumes
    offersProtocol = operation.security.offersProtocol
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
    configuration.decodesTransferCodings = !isRaw
    if usesHTTP10 { configuration.requestVersion = .http10 }
    // Redirects are the transfers' matter, too.
    configuration.redirectLimit = 1
    // Whatever can be read is shown.
    configuration.responseParsing = .lenient
    setLimits(of: configuration)
    try setNetwork(of: configuration)
    try setSecurity(of: configuration)
    return configuration
  }

  private func setLimits(of configuration: URLSessionConfiguration) {
    configuration.timeoutIntervalForRequest = Self.noLimit
    configuration.timeoutIntervalForResource = Self.noLimit
    configuration.timeoutIntervalForConnection = connectTimeLimit ?? Self.usualConnectLimit
    if let continuePatience { configuration.timeoutIntervalForContinue = continuePatience }
    if let attemptDelay { configuration.connectionAttemptDelay = Double(attemptDelay) / 1_000 }
    configuration.httpMaximumConnectionsPerHost = connectionLimit
    configuration.unixSocketPath = socketPath
    if let host = way.host, let port = way.port {
      configuration.connectionEndpoint = .init(host: host, port: port)
    }
    // As large as curl allows, which does not count fields: none is shorter than `a:` and a line end.
    configuration.responseHeadLimit = 300 * 1_024
    configuration.responseFieldLimit = 300 * 1_024 / 3
    configuration.responseLineLimit = 100 * 1_024
  }

  private func setNetwork(of configuration: URLSessionConfiguration) throws(CommandError) {
    // Of a proxy's address the command line says nothing.
    if proxy == nil { configuration.connectionAddresses = way.addresses }
    switch family {
    case .any: break
    case .four: configuration.addressFamily = .ipv4
    case .six: configuration.addressFamily = .ipv6
    }
    configuration.keepAliveInterval = keepAlive
    configuration.localPorts = localPorts
    if let networkInterface {
      // A name or an address: names have no colons, and no digit at their beginning.
      if networkInterface.contains(":") || networkInterface.first?.isNumber == true {
        configuration.localAddress = networkInterface
      } else {
        guard if_nametoindex(networkInterface) != 0 else {
          throw CommandError(.badInterface, "there is no network interface \(networkInterface)")
        }
        configuration.networkInterface = networkInterface
      }
    }
    if let proxy { configuration.proxySelection = try proxy.selection() }
  }

  private func setSecurity(of configuration: URLSessionConfiguration) throws(CommandError) {
    configuration.verifiesProxyCertificates = !acceptsAnyProxyCertificate
    if let proxyAuthorities {
      guard access(proxyAuthorities, R_OK) == 0 else {
        throw CommandError(.badAuthorities, "cannot read the authorities in \(proxyAuthorities)")
      }
      configuration.proxyTrustAnchors = .file(path: try RegularFile.path(of: proxyAuthorities))
    }
    if let anchors = try anchors() { configuration.trustAnchors = anchors }
    if let credential = try certificate.credential(read: InputFile.read) {
      // Wherever the transfer leads, and whenever it is asked for, as with curl.
      configuration.clientCredentials = ["*": credential]
      configuration.tls.answersPostHandshakeRequests = true
    }
    configuration.tls.cipherList = ciphers
    configuration.tls.cipherSuites = suites
    configuration.tls.groups = groups
    configuration.tls.resumesSessions = resumesTLS
    if !offersProtocol { configuration.tls.applicationProtocols = [] }
    if let path = revocationLists {
      // Without a list in it, nothing would be refused but everything.
      let path = try RegularFile.path(of: path)
      let text = try? Data(contentsOf: URL(fileURLWithPath: path))
      guard let text, text.contains(Array("-----BEGIN X509 CRL-----".utf8)) else {
        throw CommandError(.badRevocationLists, "no revocation list can be read from \(path)")
      }
      configuration.revocationListFiles = [path]
      configuration.requiresRevocationLists = true
    }
    if minimumTLS == .three { configuration.tlsMinimumSupportedProtocolVersion = .TLSv13 }
    if maximumTLS == .two { configuration.tlsMaximumSupportedProtocolVersion = .TLSv12 }
  }
}

/// The sessions of a command.
actor SessionPool {
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
