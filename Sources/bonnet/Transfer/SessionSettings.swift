// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

/// The settings of a session. Transfers with equal settings share one, and with it its connections.
struct SessionSettings: Hashable, Sendable {
  /// Without the limit of a transfer, and without the addresses and detours that `overrides` stands for.
  private let connection: ConnectionOptions
  private let security: SecurityOptions
  private let overrides: ConnectOverrides
  let proxy: ProxyChoice?
  private let acceptsAnyProxyCertificate: Bool
  private let proxyAuthorities: String?
  private let continuePatience: Double?
  private let decodes: Bool
  private let isRaw: Bool
  var usesHTTP10: Bool
  private let connectionLimit: Int

  /// - Parameter address: What the session is for: the proxy depends on the scheme.
  init(_ operation: Operation, address: RequestAddress, parallelLimit: Int) throws(CommandError) {
    // A local socket is the peer itself.
    proxy = operation.connection.socketPath == nil ? try ProxyChoice(operation, address: address) : nil
    guard !address.needsProxy || proxy?.takesAbsoluteForm == true else {
      throw CommandError(
        .unsupportedScheme,
        "the scheme \"\(address.scheme)\" is supported through an HTTP proxy (-x) only; http and https are always"
      )
    }
    overrides = try ConnectOverrides(operation.connection, to: address)
    var connection = operation.connection
    (connection.timeLimit, connection.addresses, connection.detours) = (nil, [], [])
    connection.keepAliveTime = connection.keepsAlive ? connection.keepAliveTime ?? 60 : nil
    self.connection = connection
    var security = operation.security
    if address.scheme != "https" {
      // Here, as with curl, these files may be missing.
      (security.authorities, security.authorityDirectory, security.revocationLists) = (nil, nil, nil)
      security.certificate = ClientCertificate()
    }
    self.security = security
    acceptsAnyProxyCertificate = operation.proxy.acceptsAnyCertificate
    proxyAuthorities = operation.proxy.authorities
    continuePatience = operation.request.continuePatience
    isRaw = operation.request.isRaw
    decodes = operation.request.asksForCompression && !isRaw
    usesHTTP10 = operation.request.usesHTTP10
    connectionLimit = max(6, parallelLimit)
    try check(address)
  }

  /// The peer that a request for an address connects to.
  func route(to address: RequestAddress) -> ConnectionRoute {
    func plain(_ host: String) -> String {
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
    var route: ConnectionRoute
    if let proxy, let peer = try? URLSessionConfiguration.Proxy(proxy.address) {
      route = ConnectionRoute(host: plain(peer.host), port: peer.port, isProxy: true)
      route.looksUpTarget = peer.kind == .socks4 || peer.kind == .socks5
    } else {
      route = ConnectionRoute(
        host: overrides.host ?? plain(address.host), port: overrides.port ?? address.effectivePort)
      route.statedAddresses = overrides.addresses
    }
    route.socketPath = connection.socketPath
    route.family = connection.family
    return route
  }

  /// Refuses options that contradict each other, or the address.
  private func check(_ address: RequestAddress) throws(CommandError) {
    if proxy != nil, overrides.host != nil {
      throw CommandError(.usage, "--connect-to: a proxy finds its own way")
    }
    if connection.family == .four, proxy == nil, overrides.host == nil, address.host.hasPrefix("[") {
      throw CommandError(.refused, "-4: \(address.host) is no IPv4 address")
    }
    if address.scheme == "https", let maximum = security.maximum,
      maximum < max(.two, security.minimum ?? .two)
    {
      throw CommandError(
        .noTLS, "--tls-max: nothing is left between the oldest version and the newest (RFC 8996)")
    }
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
    configuration.timeoutIntervalForConnection = connection.connectTimeLimit ?? Self.usualConnectLimit
    if let continuePatience { configuration.timeoutIntervalForContinue = continuePatience }
    if let attemptDelay = connection.attemptDelay {
      configuration.connectionAttemptDelay = Double(attemptDelay) / 1_000
    }
    configuration.httpMaximumConnectionsPerHost = connectionLimit
    configuration.unixSocketPath = connection.socketPath
    if let host = overrides.host, let port = overrides.port {
      configuration.connectionEndpoint = .init(host: host, port: port)
    }
    // As large as curl allows, which does not count fields: none is shorter than `a:` and a line end.
    configuration.responseHeadLimit = 300 * 1_024
    configuration.responseFieldLimit = 300 * 1_024 / 3
    configuration.responseLineLimit = 100 * 1_024
  }

  private func setNetwork(of configuration: URLSessionConfiguration) throws(CommandError) {
    // Of a proxy's address the command line says nothing.
    if proxy == nil { configuration.connectionAddresses = overrides.addresses }
    switch connection.family {
    case .any: break
    case .four: configuration.addressFamily = .ipv4
    case .six: configuration.addressFamily = .ipv6
    }
    configuration.keepAliveInterval = connection.keepAliveTime
    configuration.localPorts = connection.localPorts
    if let networkInterface = connection.networkInterface {
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
    if let credential = try security.certificate.credential(read: InputFile.read) {
      // Wherever the transfer leads, and whenever it is asked for, as with curl.
      configuration.clientCredentials = ["*": credential]
      configuration.tls.answersPostHandshakeRequests = true
    }
    configuration.tls.cipherList = security.ciphers
    configuration.tls.cipherSuites = security.suites
    configuration.tls.groups = security.groups
    configuration.tls.resumesSessions = security.resumes
    if !security.offersProtocol { configuration.tls.applicationProtocols = [] }
    if let path = security.revocationLists {
      // Without a list in it, nothing would be refused but everything.
      let path = try RegularFile.path(of: path)
      let text = try? Data(contentsOf: URL(fileURLWithPath: path))
      guard let text, text.contains(Array("-----BEGIN X509 CRL-----".utf8)) else {
        throw CommandError(.badRevocationLists, "no revocation list can be read from \(path)")
      }
      configuration.revocationListFiles = [path]
      configuration.requiresRevocationLists = true
    }
    if security.minimum == .three { configuration.tlsMinimumSupportedProtocolVersion = .TLSv13 }
    if security.maximum == .two { configuration.tlsMaximumSupportedProtocolVersion = .TLSv12 }
  }

  /// Instead of the system's; of a file and a directory, either is enough.
  ///
  /// As with curl, there may be several directories, separated by colons as in PATH. One that is empty, or is not there, has no
  /// authorities in it, and what cannot be read does not matter where any certificate will do.
  private func anchors() throws(CommandError) -> URLSessionConfiguration.TrustAnchors? {
    if security.authorities == nil, security.authorityDirectory == nil { return nil }
    var anchors: [URLSessionConfiguration.TrustAnchors] = []
    if let authorities = security.authorities {
      if access(authorities, R_OK) == 0 {
        anchors.append(.file(path: try RegularFile.path(of: authorities)))
      } else if !security.acceptsAnyCertificate {
        throw CommandError(.badAuthorities, "cannot read the authorities in \(authorities)")
      }
    }
    for directory in security.authorityDirectory?.split(separator: ":").map(String.init) ?? []
    where (try? FileManager.default.contentsOfDirectory(atPath: directory))?.isEmpty == false {
      anchors.append(.directory(path: directory))
    }
    if anchors.isEmpty { return .certificates([]) }
    return anchors.count == 1 ? anchors[0] : .several(anchors)
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
