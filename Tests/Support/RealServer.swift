// SPDX-License-Identifier: MIT
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
  /// nginx with TLS 1.2 that asks for a certificate signed by ``authority``; `/who` tells whose it got.
  case nginxClientsTLS12 = "BLUEBONNET_NGINX_CLIENTS_TLS12"
  /// The same with TLS 1.3.
  case nginxClientsTLS13 = "BLUEBONNET_NGINX_CLIENTS_TLS13"
  /// `openssl s_server -Verify` with TLS 1.2.
  case opensslClientsTLS12 = "BLUEBONNET_S_SERVER_CLIENTS_TLS12"
  /// The same with TLS 1.3.
  case opensslClientsTLS13 = "BLUEBONNET_S_SERVER_CLIENTS_TLS13"
  /// Apache httpd, plain: Basic, Digest whose nonces live for two seconds, Negotiate.
  case apache = "BLUEBONNET_APACHE"
  /// The same over TLS; its certificate is signed by ``authority``.
  case apacheTLS = "BLUEBONNET_APACHE_TLS"
  /// lighttpd, plain: Basic, Digest with MD5 and SHA-256.
  case lighttpd = "BLUEBONNET_LIGHTTPD"
  /// The same over TLS; its certificate is signed by ``authority``.
  case lighttpdTLS = "BLUEBONNET_LIGHTTPD_TLS"
  /// NTLM by pyspnego, plain.
  case ntlm = "BLUEBONNET_NTLM"
  /// The same over TLS; its certificate is signed by ``authority``.
  case ntlmTLS = "BLUEBONNET_NTLM_TLS"
  /// An origin that tells what reached it.
  case echo = "BLUEBONNET_ECHO"
  /// httpbin under gunicorn, plain.
  case httpbin = "BLUEBONNET_HTTPBIN"
  /// `openssl s_server`, HTTP/1.0 with bodies that end with the connection.
  case opensslServer = "BLUEBONNET_S_SERVER"
  /// `openssl s_server` with a certificate whose OCSP response, stapled, says good.
  case statusStapled = "BLUEBONNET_STATUS_STAPLED"
  /// The same, whose response says revoked.
  case statusStapledRevoked = "BLUEBONNET_STATUS_STAPLED_REVOKED"
  /// The same, whose certificate promises a stapled response, and whose response says good.
  case statusPromised = "BLUEBONNET_STATUS_PROMISED"
  /// The same, whose certificate promises a response, and who staples none.
  case statusBrokenPromise = "BLUEBONNET_STATUS_BROKEN_PROMISE"
  /// `openssl s_server` with a certificate that `openssl ocsp` says is good.
  case statusOCSP = "BLUEBONNET_STATUS_OCSP"
  /// The same, of which it says that it is revoked.
  case statusOCSPRevoked = "BLUEBONNET_STATUS_OCSP_REVOKED"
  /// `openssl s_server` with a certificate that is not in the list over HTTP.
  case statusListed = "BLUEBONNET_STATUS_LISTED"
  /// The same with one that is.
  case statusListedRevoked = "BLUEBONNET_STATUS_LISTED_REVOKED"
  /// The `websockets` package's own server.
  case websockets = "BLUEBONNET_WEBSOCKETS"
  /// The same over TLS; its certificate is signed by ``authority``.
  case websocketsTLS = "BLUEBONNET_WEBSOCKETS_TLS"
  /// The same with windows of 512 bytes that are forgotten after each message.
  case websocketsSmall = "BLUEBONNET_WEBSOCKETS_SMALL"
  /// The same without compression.
  case websocketsUncompressed = "BLUEBONNET_WEBSOCKETS_UNCOMPRESSED"

  /// squid, an HTTP proxy that is open to everybody.
  case squid = "BLUEBONNET_SQUID"
  /// squid that asks for Basic.
  case squidBasic = "BLUEBONNET_SQUID_BASIC"
  /// squid that asks for Digest, with nonces that are good for five requests.
  case squidDigest = "BLUEBONNET_SQUID_DIGEST"
  /// squid that asks for Negotiate.
  case squidNegotiate = "BLUEBONNET_SQUID_NEGOTIATE"
  /// squid that asks for any of the three.
  case squidAll = "BLUEBONNET_SQUID_ALL"
  /// squid that is spoken to over TLS and open to everybody.
  case squidTLS = "BLUEBONNET_SQUID_TLS"
  /// squid over TLS that asks for Basic.
  case squidTLSBasic = "BLUEBONNET_SQUID_TLS_BASIC"
  /// squid over TLS that asks for Digest.
  case squidTLSDigest = "BLUEBONNET_SQUID_TLS_DIGEST"
  /// squid over TLS that asks for Negotiate.
  case squidTLSNegotiate = "BLUEBONNET_SQUID_TLS_NEGOTIATE"
  /// squid over TLS that asks for any of the three.
  case squidTLSAll = "BLUEBONNET_SQUID_TLS_ALL"
  /// tinyproxy, which closes after each response.
  case tinyproxy = "BLUEBONNET_TINYPROXY"
  /// tinyproxy that asks for Basic.
  case tinyproxyPassword = "BLUEBONNET_TINYPROXY_PASSWORD"
  /// stunnel before ``tinyproxy``.
  case stunnel = "BLUEBONNET_STUNNEL"
  /// stunnel before ``squidBasic``.
  case stunnelPassword = "BLUEBONNET_STUNNEL_PASSWORD"
  /// A proxy that asks for NTLM, by pyspnego.
  case ntlmProxy = "BLUEBONNET_NTLM_PROXY"
  /// microsocks: SOCKS 5 for everybody.
  case microsocks = "BLUEBONNET_MICROSOCKS"
  /// microsocks that asks for a user and a password.
  case microsocksPassword = "BLUEBONNET_MICROSOCKS_PASSWORD"
  /// Dante: SOCKS 4 and 5.
  case dante = "BLUEBONNET_DANTE"
  /// Twisted's SOCKS 4 and 4a.
  case socks4 = "BLUEBONNET_SOCKS4"
  /// The same for one user only.
  case socks4User = "BLUEBONNET_SOCKS4_USER"

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

  /// One of the files of certificates and keys that `Tests/Servers/run` makes.
  public static func certificate(_ name: String) -> String? {
    variable("BLUEBONNET_CERTIFICATES").map { "\($0)/\(name)" }
  }

  /// The PEM file of that authority's revocation list.
  public static var revocationList: String? { variable("BLUEBONNET_LIST") }

  /// The folder of the files that nginx and Apache serve.
  public static var files: String? { variable("BLUEBONNET_FILES") }

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
