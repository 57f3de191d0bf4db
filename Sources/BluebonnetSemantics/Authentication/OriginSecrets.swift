/// What a load may show to the origin where it is: the session's secrets and those of its URL are meant for the origin
/// that the caller named.
package struct OriginSecrets: Sendable {
  /// Fields that prove or tell who the caller is (Fetch, "HTTP-redirect fetch"; Go and curl drop the same).
  package static let fieldNames = ["Authorization", "Proxy-Authorization", "Cookie"]

  /// Fields that are kept from other origins. `Host` is no secret, but names the origin.
  package static let boundFieldNames = fieldNames + ["Host"]

  /// Whether a field of the session's is kept from other origins.
  package static func isBound(_ name: String) -> Bool {
    boundFieldNames.contains { name.equalsIgnoringASCIICase($0) }
  }

  /// The `Authorization` that a URL's user information amounts to.
  package private(set) var authorization: String?
  /// `authorization` is for whoever asks, by a better scheme; it is not sent as it is.
  package private(set) var awaitsChallenge = false
  /// What of `authorization` is sent as it is.
  package var stated: String? { awaitsChallenge ? nil : authorization }
  /// A redirect has led to another origin. That cannot be undone by one that leads back: its path was chosen elsewhere.
  package private(set) var hasLeft = false
  /// Who the caller is, where that is proved with each request anew: no field that was stated in advance does. It is what
  /// stands for the proof where responses are told apart by who may see them, and no secret.
  package var proved: String?
  package var isProved: Bool { proved != nil }

  /// There are none, and the caller's origin has not been left.
  package var isEmpty: Bool { !hasLeft && authorization == nil && proved == nil }

  package init() {}

  /// Takes over the user information of a target that is about to be loaded.
  package mutating func take(from target: TargetURI) {
    if let information = target.userInformation {
      authorization = information.authorization
      awaitsChallenge = false
    }
  }

  /// Takes over a name and a password that the caller keeps for the host of a target (`.netrc`), if this is still the origin
  /// that the caller named and nothing better is known.
  ///
  /// - Parameters:
  ///   - sendsBasic: They are sent before anybody has asked.
  ///   - lookUp: Finds them; not asked where they are not wanted.
  package mutating func take(
    for target: TargetURI, sendsBasic: Bool = true,
    from lookUp: (TargetURI) -> (user: [UInt8], password: [UInt8])?
  ) {
    // What is known of an origin stays: its URL may have named a password that the next one does not repeat.
    guard !hasLeft, authorization == nil || target.userInformation?.password.isEmpty == true,
      let proof = lookUp(target)
    else { return }
    authorization = BasicCredentials.authorization(user: proof.user, password: proof.password)
    awaitsChallenge = !sendsBasic
  }

  /// Goes on from one origin to the next target, whose user information it takes over (as curl and Go do: what a
  /// `Location` names is no secret of the caller's, and goes nowhere but there).
  ///
  /// - Returns: Whether the next one is another origin's.
  package mutating func move(from origin: WebOrigin?, to target: TargetURI) -> Bool {
    let leaves = origin != target.origin
    if leaves {
      hasLeft = true
      authorization = nil
      awaitsChallenge = false
      proved = nil
    }
    take(from: target)
    return leaves
  }
}
