// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The SHA-256 of a public key with its kind (`SubjectPublicKeyInfo`), as pins state it.
struct PublicKeyHash: Sendable, Hashable, CustomStringConvertible {
  private let bytes: Data

  /// - Parameter text: The hash in Base64, alone or behind `sha256/` or `sha256//`.
  init(_ text: String) throws(PublicKeyHashError) {
    let marks = ["", "sha256/", "sha256//"]
    // By length: a slash is one of Base64's letters, too, so that the hash may begin with one.
    guard let mark = marks.first(where: { text.hasPrefix($0) && text.utf8.count == $0.utf8.count + 44 }),
      let bytes = Data(base64Encoded: String(text.dropFirst(mark.count))), bytes.count == 32
    else {
      throw PublicKeyHashError(
        hash: text, reason: "32 bytes in Base64 are expected, alone or behind sha256/ or sha256//")
    }
    self.bytes = bytes
  }

  /// `nil` where a policy of the system forbids the function.
  init?(_ certificate: SecCertificate) {
    guard let bytes = certificate.subjectPublicKeyInfoSHA256 else { return nil }
    self.bytes = bytes
  }

  var description: String { "sha256/" + bytes.base64EncodedString() }
}

/// Why hashes of public keys cannot be pinned.
public struct PublicKeyHashError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The hash as it was given; `nil` if it is not about one of them.
  public let hash: String?
  /// The fault, in words.
  public let reason: String

  init(hash: String? = nil, reason: String) {
    self.hash = hash
    self.reason = reason
  }

  /// The fault, and the hash that has it.
  public var description: String {
    guard let hash else { return "these public keys cannot be pinned: \(reason)" }
    return "\"\(hash)\" is not the hash of a public key: \(reason)"
  }

  /// The same text as `description`.
  public var errorDescription: String? { description }
}

extension AlamofireExtension where ExtendedType == SecCertificate {
  /// The hash that pins the certificate's public key, such as `sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`; `nil`
  /// where a policy of the system forbids SHA-256.
  public var publicKeyHash: String? { PublicKeyHash(type)?.description }
}

extension AlamofireExtension where ExtendedType == [SecCertificate] {
  /// The hashes that pin the certificates' public keys.
  public var publicKeyHashes: [String] { type.compactMap(\.af.publicKeyHash) }
}

extension AlamofireExtension where ExtendedType == SecTrust {
  /// The hashes that pin the public keys of the chain's certificates, the server's own first.
  public var publicKeyHashes: [String] { certificates.af.publicKeyHashes }
}
