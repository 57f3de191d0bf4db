// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// A server's demands on a Digest answer (RFC 7616 §3.3).
package struct DigestChallenge: Sendable, Equatable {
  package enum Protection: String, Sendable, Equatable {
    case request = "auth"
    /// The content is proved as well.
    case requestAndContent = "auth-int"
  }

  let realm: String
  package internal(set) var nonce: String
  let opaque: String?
  let hash: HashFunction
  /// The secret is mixed with the nonce once for all requests with it.
  let isSession: Bool
  /// As the server wrote it, the spelling it expects back; nil if it named none.
  let algorithm: String?
  /// The part of the message that the answer protects; nil for servers that know RFC 2069 only.
  let protection: Protection?
  /// The nonce was too old; the secret was right.
  package let isStale: Bool
  let takesHashedNames: Bool
  let takesUTF8: Bool
  /// The encoding of realm, nonce and opaque, which go back as the bytes that came.
  let encoding: FieldValue.Encoding
  /// Addresses of other parts of the same protection space.
  let domain: [String]

  /// The most bytes of each value repeated to a server with each request, and kept for it. Real ones are a tenth of it.
  static let valueLimit = 4_096

  /// Nil for what cannot be answered: an unknown algorithm (§3.3 has such challenges ignored), no nonce, or values beyond the limit.
  package init?(_ challenge: ChallengeList.Challenge) {
    let parameters = challenge.parameters
    // Some servers name no realm, against the rule; curl and browsers count with an empty one.
    let realm = parameters["realm"] ?? ""
    guard let nonce = parameters["nonce"],
      ["nonce", "realm", "opaque", "domain"].allSatisfy({ parameters[$0]?.utf8.count ?? 0 <= Self.valueLimit }
      )
    else { return nil }
    (self.nonce, self.realm) = (nonce, realm)
    opaque = parameters["opaque"]
    algorithm = parameters["algorithm"]
    var name = (algorithm ?? "MD5").asciiLowercased
    isSession = name.hasSuffix("-sess")
    if isSession { name.removeLast("-sess".count) }
    switch name {
    case "md5": hash = .md5
    case "sha-256": hash = .sha256
    case "sha-512-256": hash = .sha512Half
    default: return nil
    }
    if let offered = parameters["qop"] {
      // Proving the content takes knowing all of it in advance, so it is done only where nothing else is taken.
      let options = offered.split { $0 == "," || $0 == " " || $0 == "\t" }.map(\.asciiLowercased)
      if options.contains("auth") {
        protection = .request
      } else if options.contains("auth-int") {
        protection = .requestAndContent
      } else {
        // Options that are not known are ignored (RFC 2617 §3.2.1); without any, the answer has the form of RFC 2069.
        protection = nil
      }
    } else {
      protection = nil
    }
    func isTrue(_ name: String) -> Bool { parameters[name]?.asciiLowercased == "true" }
    encoding = challenge.encoding
    isStale = isTrue("stale")
    takesHashedNames = isTrue("userhash")
    takesUTF8 = parameters["charset"]?.asciiLowercased == "utf-8"
    domain = parameters["domain"]?.split { $0 == " " || $0 == "\t" }.map(String.init) ?? []
  }
}
