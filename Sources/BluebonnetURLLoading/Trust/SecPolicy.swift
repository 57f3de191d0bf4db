import BluebonnetFoundation

/// By which rules certificates are judged.
public final class SecPolicy: Sendable, Hashable {
  package enum Rule: Sendable, Hashable {
    /// A server's certificate, for this host name if there is one.
    case server(host: String?)
    /// The chain alone.
    case basicX509
    case revocation(flags: UInt)
  }

  package let rule: Rule

  package init(_ rule: Rule) { self.rule = rule }

  /// The name that the server's certificate must be for.
  var demandedHost: String? {
    if case .server(let host) = rule { host } else { nil }
  }

  /// Policies are equal if their rules are.
  public static func == (left: SecPolicy, right: SecPolicy) -> Bool { left.rule == right.rule }

  /// Feeds the rule.
  public func hash(into hasher: inout Hasher) { hasher.combine(rule) }
}

/// The rules for a TLS peer, under Apple's name. Only servers are judged here: `server` has to be true.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: String?) -> SecPolicy {
  SecPolicy(.server(host: hostname))
}

/// The rules for a chain alone, under Apple's name.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basicX509) }
