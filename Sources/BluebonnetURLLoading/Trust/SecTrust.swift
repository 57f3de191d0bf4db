import BluebonnetFoundation

/// The certificates of a peer, to be judged.
public final class SecTrust: Sendable, Hashable {
  /// Trusts are equal if they are the same.
  public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

  /// Feeds the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The code of a Security call.
public typealias OSStatus = Int32
