import Glibc

/// A server that nobody here wrote, as `Tests/Servers/run` names it to the tests.
public enum RealServer: String, CaseIterable, Sendable {
  /// nginx, plain.
  case nginx = "BLUEBONNET_NGINX"
  /// nginx over TLS; its certificate is signed by ``authority``.
  case nginxTLS = "BLUEBONNET_NGINX_TLS"
  /// nginx with a certificate that has expired.
  case nginxExpired = "BLUEBONNET_NGINX_EXPIRED"
  /// nginx with a certificate for another host.
  case nginxWrongHost = "BLUEBONNET_NGINX_WRONG_HOST"
  /// nginx with a certificate that nobody signed.
  case nginxSelfSigned = "BLUEBONNET_NGINX_SELF_SIGNED"
  /// nginx that speaks TLS 1.2 only.
  case nginxTLS12 = "BLUEBONNET_NGINX_TLS12"
  /// nginx that speaks TLS 1.3 only.
  case nginxTLS13 = "BLUEBONNET_NGINX_TLS13"
  /// Apache httpd, plain.
  case apache = "BLUEBONNET_APACHE"
  /// httpbin under gunicorn, plain.
  case httpbin = "BLUEBONNET_HTTPBIN"
  /// `openssl s_server`, HTTP/1.0 with bodies that end with the connection.
  case opensslServer = "BLUEBONNET_S_SERVER"
  /// The `websockets` package's own server.
  case websockets = "BLUEBONNET_WEBSOCKETS"
  /// The same over TLS; its certificate is signed by ``authority``.
  case websocketsTLS = "BLUEBONNET_WEBSOCKETS_TLS"
  /// The same with windows of 512 bytes that are forgotten after each message.
  case websocketsSmall = "BLUEBONNET_WEBSOCKETS_SMALL"
  /// The same without compression.
  case websocketsUncompressed = "BLUEBONNET_WEBSOCKETS_UNCOMPRESSED"

  /// Where it listens, without a slash at the end; nothing if it does not run.
  public var base: String? { variable(rawValue) }

  /// Whether it runs.
  public var isPresent: Bool { base != nil }

  /// The address of something it serves.
  public func url(_ path: String) throws -> String {
    guard let base else { throw AbsentServer(server: self) }
    return base + path
  }

  /// The PEM file of the authority that signed the servers' certificates.
  public static var authority: String? { variable("BLUEBONNET_AUTHORITY") }

  /// Whether a server's absence is a failure, as it is in CI.
  public static var areRequired: Bool { variable("BLUEBONNET_REQUIRE_SERVERS") == "1" }
}

/// A test asked for a server that does not run.
public struct AbsentServer: Error, Sendable {
  /// The server.
  public let server: RealServer
}

/// An environment variable of this process.
public func variable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
