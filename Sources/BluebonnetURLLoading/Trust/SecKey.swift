// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// A public key, or the private one of a ``SecIdentity``. Immutable; equal if the encodings are.
public final class SecKey: Sendable, Hashable {
  package enum Half: Sendable, Hashable {
    case publicKey(PublicKey)
    case privateKey(PrivateKey)
  }

  /// The key as the TLS module knows it.
  package let half: Half

  /// Wraps a public key.
  package init(_ key: PublicKey) { half = .publicKey(key) }

  /// Wraps a private key.
  package init(_ key: PrivateKey) { half = .privateKey(key) }

  /// Public keys are equal if their encodings, algorithm included, are; private keys if their public ones are. A
  /// private key equals no public one.
  public static func == (left: SecKey, right: SecKey) -> Bool { left.half == right.half }

  /// Hashes the encoding of the public key.
  public func hash(into hasher: inout Hasher) { hasher.combine(half) }
}

/// The public key of a key pair; a public key is its own.
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  switch key.half {
  case .publicKey: key
  case .privateKey(let key): SecKey(key.publicKey)
  }
}

/// A key in the form that other programs exchange: PKCS #1 for RSA; for elliptic curves X9.63, that is 04, X and Y, behind
/// which a private key has its number.
///
/// - Parameters:
///   - key: A public or a private key.
///   - error: Set to a ``SecKeyError`` if there is no such form.
/// - Returns: The bytes; `nil` for other kinds of keys, such as Ed25519.
public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<(any Error)?>?
) -> Data? {
  let bytes =
    switch key.half {
    case .publicKey(let key): key.externalRepresentation
    case .privateKey(let key): key.externalRepresentation
    }
  if bytes == nil { error?.pointee = SecKeyError(status: errSecUnsupportedKeyFormat) }
  return bytes.map { Data($0) }
}

/// Why something cannot be done with a key.
public struct SecKeyError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The code of the reason.
  public let status: OSStatus

  /// The reason, in a sentence.
  public var description: String { "keys of this kind have no such representation (\(status))" }

  /// The same text as `description`.
  public var errorDescription: String? { description }
}
