// SPDX-License-Identifier: MIT
import Bluebonnet

/// The lines of `-v` about the connections of one request, in curl's order.
///
/// A certificate is known before its connection is: its lines are held until then.
struct ConnectionLog: Sendable {
  /// The end of a request that has no response.
  enum Failure: Equatable, Sendable {
    /// - Parameter host: A name without addresses.
    case unresolved(host: String, isProxy: Bool)
    /// All addresses have failed.
    case unconnected
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
  private var named: [String] = []
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
    guard let route, route.socketPath == nil, !named.contains(address) else { return [] }
    named.append(address)
    return ["  Trying \(ConnectionRoute.shown(address, route.port))..."]
  }

  /// The addresses that were tried, and their reasons to fail.
  private mutating func tried(_ attempts: [URLSessionConnection.Attempt]) -> [String] {
    attempts.flatMap { attempt in
      let place = attempt.port.map { "\(attempt.address) port \($0)" } ?? attempt.address
      return trying(attempt.address) + (attempt.failure.map { ["connect to \(place) failed: \($0)"] } ?? [])
    }
  }

  /// There is a connection.
  ///
  /// - Parameters:
  ///   - address: Of the other end; nil if it is not known.
  ///   - attempts: Those on the way to it.
  private mutating func connected(_ address: String?, after attempts: [URLSessionConnection.Attempt] = [])
    -> [String]
  {
    guard let route, !isConnectionTold else { return [] }
    isConnectionTold = true
    guard route.socketPath == nil else { return ["Connected to \(route.host) by a local socket"] }
    let lines = tried(attempts) + (address.map { trying($0) } ?? [])
    named = []
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
    var lines = connected(connection.remoteAddress, after: connection.attempts)
    if let secured = ConnectionText.secured(connection) {
      lines += offers + [secured] + choice(connection.negotiatedApplicationProtocol) + takeCertificate()
    }
    if prefersHTTP2 { lines.append("HTTP/2 is not supported, using HTTP/1.1") }
    // The next one may be another.
    isConnectionTold = false
    return lines
  }

  private var offers: [String] { options.offersProtocol ? ["ALPN: offers http/1.1"] : [] }

  private func choice(_ name: String?) -> [String] {
    guard options.offersProtocol else { return [] }
    return [
      name.map { "ALPN: server accepted \($0)" } ?? "ALPN: server did not agree on a protocol. Uses default."
    ]
  }

  private mutating func takeCertificate() -> [String] {
    defer { certificate = [] }
    return certificate
  }

  /// A request has ended without a response.
  ///
  /// - Parameters:
  ///   - address: The other end of its connection; nil if there was none.
  ///   - attempts: The addresses that were tried for it.
  mutating func fail(
    _ failure: Failure, address: String?, after attempts: [URLSessionConnection.Attempt]
  ) -> [String] {
    guard let route else { return [] }
    switch failure {
    case .unresolved(let host, let isProxy):
      return ["Could not resolve \(isProxy ? "proxy" : "host"): \(host)"]
    case .unconnected:
      return tried(attempts)
        + [
          "Failed to connect to \(route.host) port \(route.port) after \(milliseconds) ms: "
            + "Couldn't connect to server"
        ]
    case .timedOut:
      return tried(attempts) + ["Connection timed out after \(milliseconds) milliseconds"]
    case .other(let reason):
      var lines = hasSent ? [] : address.map { connected($0, after: attempts) } ?? []
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
      Failure(error, message: reason.message, host: host, route: route), address: metrics?.remoteAddress,
      after: metrics?.connectionAttempts ?? [])
  }

  private var milliseconds: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }
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
      case (.connectionRefused, _), (.network, .connecting): .unconnected
      case (.timedOut, .connecting): .timedOut
      default: .other(message)
      }
  }
}
