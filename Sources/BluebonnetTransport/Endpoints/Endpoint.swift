/// Where a request goes: the key under which connections are pooled (RFC 9110 §4.3.1, "origin").
package struct Endpoint: Hashable, Sendable {
  package enum Security: Hashable, Sendable {
    case plain
    /// TLS, verified against this host name or IP address.
    case tls(serverName: String)
  }

  package let target: ConnectTarget
  package let security: Security

  package init(target: ConnectTarget, security: Security) {
    self.target = target
    self.security = security
  }
}
