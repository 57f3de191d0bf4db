// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTransport

extension ConnectionPool.Configuration {
  /// - Throws: for what cannot be honoured, by the member's name.
  init(_ settings: HTTPClient.Configuration) throws(HTTPClientError) {
    // The certificate is evaluated before anything of the request, or of the client's own certificate, is sent.
    let tls = TLSClientConfiguration(
      anchors: try settings.trust.anchors(), identity: settings.identity?.tls, verification: .manual)
    self.init(tls: tls)
    try Self.check(settings.maximumConnectionsPerHost, "maximumConnectionsPerHost", from: 1)
    try Self.check(settings.maximumConnections, "maximumConnections", from: 1)
    try Self.check(settings.maximumBodySize, "maximumBodySize", from: 0)
    try Self.check(settings.streamBufferSize, "streamBufferSize", from: 1)
    try Self.check(settings.maximumRedirects, "maximumRedirects", from: 0)
    if let path = settings.unixSocketPath, SocketAddress(unixPath: path) == nil {
      throw .invalidConfiguration("unixSocketPath", "a path has 1 to 107 bytes, and no NUL")
    }
    if let total = settings.timeouts.total { _ = try total.nanoseconds("total") }
    maximumConnectionsPerEndpoint = settings.maximumConnectionsPerHost
    maximumConnections = settings.maximumConnections
    idleTimeout = try settings.timeouts.idleConnection.nanoseconds("idleConnection")
  }

  private static func check(_ value: Int, _ member: String, from least: Int) throws(HTTPClientError) {
    guard value < least else { return }
    throw .invalidConfiguration(member, "it is \(value), and at least \(least) is possible")
  }
}
