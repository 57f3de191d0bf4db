import Bluebonnet

/// The lines of `-v` about the connections of one request, in curl's order.
///
/// A certificate is known before its connection is: its lines are held until then.
struct ConnectionLog: Sendable {
  /// The end of a request that has no response.
  enum Failure: Equatable, Sendable {
    /// - Parameter host: A name without addresses.
    case unresolved(host: String, isProxy: Bool)
    /// All addresses have failed; the error is that of one of them.
    case unconnected(ConnectionFault?)
    /// A limit was reached while addresses were tried.
    case timedOut
    /// It has another reason.
    case other(String)
  }

  private var route: ConnectionRoute?
  private var options = SecurityOptions()
  private var prefersHTTP2 = false
  private var start = ContinuousClock.now
  /// Addresses that were named.
  private var tried: [String] = []
  private var isConnectionTold = false
  private var hasSent = false
  private var certificate: [String] = []

  /// A request begins.
  ///
  /// - Parameter isFirst: No request before took this route, so that it needs a connection.
  mutating func begin(_ route: ConnectionRoute, _ operation: Operation, isFirst: Bool) -> [String] {
    self = ConnectionLog()
    self.route = route
    options = operation.security
    prefersHTTP2 = operation.request.prefersHTTP2
    if let path = route.socketPath { return ["  Trying \(path)..."] }
    guard isFirst, !route.looksUpTarget, let address = route.knownAddresses?.first else { return [] }
    return trying(address)
  }

  /// Keeps the lines about a certificate.
  mutating func hold(_ lines: [String]) { certificate += lines }

  private mutating func trying(_ address: String) -> [String] {
    guard let route, !tried.contains(address) else { return [] }
    tried.append(address)
    return ["  Trying \(ConnectionRoute.shown(address, route.port))..."]
  }

  /// There is a connection.
  ///
  /// - Parameter address: Of the other end; nil if it is not known.
  private mutating func connected(_ address: String?) -> [String] {
    guard let route, !isConnectionTold else { return [] }
    isConnectionTold = true
    guard route.socketPath == nil else { return ["Connected to \(route.host) by a local socket"] }
    // An address that has not failed would have had more time.
    let failed =
      address != nil && ContinuousClock.now - start < route.attemptDelay ? tried.filter { $0 != address } : []
    let lines =
      failed.map { "connect to \($0) port \(route.port) failed" } + (address.map { trying($0) } ?? [])
    tried = []
    return lines + ["Connected to \(route.host)\(address.map { " (\($0))" } ?? "") port \(route.port)"]
  }

  /// A proxy has answered, so that there is a connection to it.
  ///
  /// - Parameter target: The host and port of the tunnel.
  mutating func hearProxy(about target: String) -> [String] {
    if isConnectionTold { return [] }
    // Of several addresses, it is not known by which one it was reached.
    let known = route?.knownAddresses
    return connected(known?.count == 1 ? known?.first : nil) + takeCertificate()
      + ["Establish HTTP proxy tunnel to \(target)"]
  }

  /// A request is about to go over a connection.
  mutating func send(over connection: URLSessionConnection) -> [String] {
    guard let route else { return [] }
    hasSent = true
    if connection.isReused, !isConnectionTold {
      return ["Re-using existing connection with \(route.isProxy ? "proxy" : "host") \(route.host)"]
    }
    var lines = connected(connection.remoteAddress)
    if let secured = ConnectionText.secured(connection) {
      lines += offers + [secured] + takeCertificate()
    }
    if prefersHTTP2 { lines.append("HTTP/2 is not supported, using HTTP/1.1") }
    // The next one may be another.
    isConnectionTold = false
    return lines
  }

  private var offers: [String] { options.offersProtocol ? ["ALPN: offers http/1.1"] : [] }

  private mutating func takeCertificate() -> [String] {
    defer { certificate = [] }
    return certificate
  }

  /// A request has ended without a response.
  ///
  /// - Parameters:
  ///   - address: The other end of its connection; nil if there was none.
  ///   - lookUp: Finds the addresses of a name.
  mutating func fail(
    _ failure: Failure, address: String?, lookUp: (String) -> [String] = HostAddresses.lookUp
  ) -> [String] {
    guard let route else { return [] }
    switch failure {
    case .unresolved(let host, let isProxy):
      return ["Could not resolve \(isProxy ? "proxy" : "host"): \(host)"]
    case .unconnected(let fault):
      return unconnected(fault, route, lookUp)
        + [
          "Failed to connect to \(route.host) port \(route.port) after \(milliseconds) ms: "
            + "Couldn't connect to server"
        ]
    case .timedOut:
      return begun(route, lookUp) + ["Connection timed out after \(milliseconds) milliseconds"]
    case .other(let reason):
      var lines = hasSent ? [] : address.map { connected($0) } ?? []
      if !certificate.isEmpty { lines += offers + takeCertificate() }
      // Of a certificate that is not trusted, the last line says why.
      if lines.last?.hasPrefix("SSL") != true { lines.append(reason) }
      return lines
    }
  }

  /// A request has ended without a response.
  ///
  /// - Parameters:
  ///   - error: The library's reason.
  ///   - reason: The transfer's reason.
  ///   - host: The host of the URL.
  ///   - metrics: The measurements of the last exchange; nil without one.
  mutating func fail(
    _ error: any Error, _ reason: CommandError, host: String, _ metrics: URLSessionTaskTransactionMetrics?
  ) -> [String] {
    guard let route else { return [] }
    return fail(
      Failure(error, message: reason.message, host: host, route: route), address: metrics?.remoteAddress)
  }

  private var milliseconds: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }

  /// Every address that was tried. Of one alone the error is known.
  private mutating func unconnected(
    _ fault: ConnectionFault?, _ route: ConnectionRoute, _ lookUp: (String) -> [String]
  ) -> [String] {
    if let path = route.socketPath {
      return ["connect to \(path) failed\(fault.map { ": \($0.reason)" } ?? "")"]
    }
    var addresses = route.addresses(lookUp: lookUp)
    // Another lookup may have another answer.
    if let fault, !addresses.contains(fault.address) { addresses = [fault.address] }
    return addresses.flatMap { address in
      let reason = address == fault?.address ? fault.map { ": \($0.reason)" } : nil
      return trying(address) + ["connect to \(address) port \(route.port) failed\(reason ?? "")"]
    }
  }

  /// The addresses whose turn has come by now.
  private mutating func begun(_ route: ConnectionRoute, _ lookUp: (String) -> [String]) -> [String] {
    let turns = Int((ContinuousClock.now - start) / route.attemptDelay) + 1
    return route.addresses(lookUp: lookUp).prefix(turns).flatMap { trying($0) }
  }
}

/// The address that could not be connected to, and why.
struct ConnectionFault: Equatable, Sendable {
  let address: String
  let reason: String

  init(address: String, reason: String) {
    self.address = address
    self.reason = reason
  }

  /// Reads the description of a failure: `127.0.0.1:1 refused the connection`, or `[::1]:1: Network is unreachable`.
  init?(_ description: String) {
    let proxy = "the proxy "
    let text = description.hasPrefix(proxy) ? String(description.dropFirst(proxy.count)) : description
    let refusal = " refused the connection"
    if let mark = text.firstRange(of: refusal) {
      self.init(address: Self.withoutPort(text[..<mark.lowerBound]), reason: "Connection refused")
    } else if let mark = text.firstRange(of: ": ") {
      self.init(
        address: Self.withoutPort(text[..<mark.lowerBound]), reason: String(text[mark.upperBound...]))
    } else {
      return nil
    }
  }

  private static func withoutPort(_ text: Substring) -> String {
    if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
    return text.lastIndex(of: ":").map { String(text[..<$0]) } ?? String(text)
  }
}

extension ConnectionLog.Failure {
  /// - Parameters:
  ///   - error: The library's reason.
  ///   - message: The transfer's reason.
  ///   - host: The host of the URL.
  ///   - route: The peer of the request.
  init(_ error: any Error, message: String, host: String, route: ConnectionRoute) {
    let failure = (error as? URLError)?.transportFailure
    self =
      switch (failure?.cause, failure?.phase) {
      case (.unresolvedHost, _):
        // A proxy may have the host looked up by this machine.
        .unresolved(
          host: failure?.isOfProxy == true || !route.isProxy ? route.host : host,
          isProxy: failure?.isOfProxy == true)
      case (.connectionRefused, _), (.network, .connecting):
        .unconnected(failure.flatMap { ConnectionFault($0.description) })
      case (.timedOut, .connecting): .timedOut
      default: .other(message)
      }
  }
}
