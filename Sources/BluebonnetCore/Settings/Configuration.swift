// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTransport

extension HTTPClient {
  /// The settings of a client: connecting, trust, and limits.
  public struct Configuration: Sendable {
    /// The authorities that `https` servers are verified against. Default: the system's.
    public var trust = Trust.system
    /// The certificate for servers that ask for one. Default: none.
    public var identity: Identity?
    /// The time that each step may take.
    public var timeouts = Timeouts()
    /// Connections to one scheme, host and port at once; further requests wait. From 1 on. Default: 6, as browsers have it.
    public var maximumConnectionsPerHost = 6
    /// Connections altogether, idle ones included. From 1 on. Default: 256, but never more than three quarters of the descriptors that
    /// the process may have.
    public var maximumConnections = 256
    /// Bytes of a body, decoded, that ``HTTPClient/send(_:)`` gathers in memory; a longer one is
    /// ``HTTPClientError/Code/bodyTooLarge``. From 0 on. Default: 16 MiB. A streamed body has no limit.
    public var maximumBodySize = 16 << 20
    /// Bytes of a streamed body that wait for their reader before nothing more is received. From 1 on. Default: 256 KiB. What
    /// one read gives, up to 2 MiB where it is decoded, may come on top.
    public var streamBufferSize = 256 << 10
    /// The most redirects that a request follows (RFC 9110 §15.4). Default: 10; then ``HTTPClientError/Code/tooManyRedirects``.
    /// With 0 a redirect is a response like any other.
    ///
    /// 301 and 302 make a GET of a POST, 303 of everything but HEAD; 307 and 308 repeat the request, body included. Another origin
    /// is not sent `Authorization`, `Proxy-Authorization` and `Cookie`, but is shown ``identity`` if it asks. From `https` to `http` none is followed:
    /// ``HTTPClientError/Code/invalidRedirect``.
    public var maximumRedirects = 10
    /// The `User-Agent` of requests that state none; nil for none. Default: `Bluebonnet`.
    public var userAgent: String? = "Bluebonnet"
    /// Whether responses are asked for in a coded form (gzip, deflate, br) and decoded. Default: true. The response's fields are
    /// those that came, `Content-Encoding` included.
    public var decodesContent = true
    /// The path of a Unix-domain socket that all connections are made to, whichever host is named; nil for none. 1 to 107 bytes.
    /// Default: nil.
    public var unixSocketPath: String?

    /// All defaults.
    public init() {}
  }
}

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
