// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// The purpose that a certificate has to be good for: for a server of some name, for a client, or for anything.
public final class SecPolicy: Sendable, Hashable {
  package enum Rule: Sendable, Hashable {
    /// A server's certificate, for this host name if there is one.
    case server(host: String?)
    /// A client's certificate, for this name if there is one.
    case client(host: String?)
    /// The chain alone, whatever its certificate may be used for.
    case basicX509
    case revocation(flags: UInt)
  }

  package let rule: Rule

  package init(_ rule: Rule) { self.rule = rule }

  /// Policies are equal if their rules are.
  public static func == (left: SecPolicy, right: SecPolicy) -> Bool { left.rule == right.rule }

  /// Hashes the kind of policy, and its host name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rule) }
}

/// The certificate of one end of a TLS connection.
///
/// - Parameters:
///   - server: Whether it has to be good for servers, and not for clients (extended key usage, RFC 5280 §4.2.1.12).
///   - hostname: The name that it has to be for; `nil` leaves the name unchecked.
@discardableResult
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: String?) -> SecPolicy {
  SecPolicy(server ? .server(host: hostname) : .client(host: hostname))
}

/// A policy that checks the chain, but no host name, and not what the certificate may be used for.
@discardableResult
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basicX509) }

/// A policy that asks whether the certificates of a chain are revoked, from the server's own up to the one below the anchor;
/// the chain has to hold, too, though no host name is checked.
///
/// - Parameter flags: The `kSecRevocation…` constants, with at least one of the methods.
/// - Returns: The policy; `nil` for flags without a method, or with bits that have no meaning.
@discardableResult
public func SecPolicyCreateRevocation(_ flags: UInt) -> SecPolicy? {
  RevocationOptions(rawValue: flags).isUsable ? SecPolicy(.revocation(flags: flags)) : nil
}
