// SPDX-License-Identifier: MIT

/// The credentials that a load may send to its present origin: the session's own, and those of its URL, are meant for the origin
/// that the caller named.
package struct RequestCredentials: Sendable {
  /// Fields with credentials or an identity (Fetch, "HTTP-redirect fetch"; Go and curl drop the same).
  package static let fieldNames = ["Authorization", "Proxy-Authorization", "Cookie"]

  /// Fields that are kept from other origins. `Host` is no secret, but names the origin.
  package static let boundFieldNames = fieldNames + ["Host"]

  /// Whether a field of the session's is kept from other origins.
  package static func isBound(_ name: String) -> Bool {
    boundFieldNames.contains { name.equalsIgnoringASCIICase($0) }
  }

  /// The `Authorization` that a URL's user information amounts to.
  package private(set) var authorization: String?
  /// `authorization` is for a challenge with a better scheme; it is not sent as it is.
  package private(set) var awaitsChallenge = false
  /// The part of `authorization` that is sent as it is.
  package var stated: String? { awaitsChallenge ? nil : authorization }
  /// A redirect has led to another origin. That cannot be undone by one that leads back: its path was chosen elsewhere.
  package private(set) var hasLeft = false
  /// The caller's identity, where each request is authenticated anew: no field stated in advance has it. It stands for
  /// the credentials where responses are told apart by their readers, and is no secret.
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
  ///   - sendsBasic: Whether they are sent before a challenge.
  ///   - lookUp: Finds them; not asked where they are not wanted.
  package mutating func take(
    for target: TargetURI, sendsBasic: Bool = true,
    from lookUp: (TargetURI) -> (user: [UInt8], password: [UInt8])?
  ) {
    // Known credentials stay: an origin's URL may have named a password that the next one does not repeat.
    guard !hasLeft, authorization == nil || target.userInformation?.password.isEmpty == true,
      let proof = lookUp(target)
    else { return }
    authorization = BasicCredentials.authorization(user: proof.user, password: proof.password)
    awaitsChallenge = !sendsBasic
  }

  /// Goes on from one origin to the next target, and takes over its user information (as curl and Go do: user information
  /// in a `Location` is no secret of the caller's, and goes nowhere but there).
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
