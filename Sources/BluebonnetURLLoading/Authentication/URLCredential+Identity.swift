// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

// What a client proves itself with in TLS.
extension URLCredential {
  /// Makes a credential of a certificate and its key, to answer a challenge with that asks for a client certificate.
  ///
  /// - Parameters:
  ///   - identity: The certificate and its key.
  ///   - certificates: The certificates that lead from it towards an authority that the server knows; `nil` for those that
  ///     came with the identity. The identity's own is not repeated if it is among them.
  ///   - persistence: How long the credential may be kept. With `.none` it serves only the load with the challenge that
  ///     it answers; otherwise a session with a delegate that has answered with it asks that server's question no more.
  public convenience init(
    identity: SecIdentity, certificates: [SecCertificate]?, persistence: Persistence
  ) {
    let own = identity.identity
    let others = certificates?.map(\.certificate).filter { $0 != own.certificate }
    self.init(.identity(others.map { own.sending($0) } ?? own), persistence)
  }

  /// Makes a credential of a certificate and a key as they stand in files. An addition of this package.
  ///
  ///     URLCredential(certificates: try Data(contentsOf: chain), key: try Data(contentsOf: key), password: "secret")
  ///
  /// - Parameters:
  ///   - certificates: In PEM, the client's own first; or its own in DER.
  ///   - key: The private key, in PEM or DER, perhaps encrypted (PKCS #8). It may stand in one text with the certificates.
  ///   - password: Opens an encrypted key.
  ///   - persistence: How long the credential may be kept; `.forSession` by default.
  /// - Throws: ``ClientIdentityError`` where one cannot be read, or the key is another certificate's.
  public convenience init(
    certificates: Data, key: Data, password: String? = nil, persistence: Persistence = .forSession
  ) throws(ClientIdentityError) {
    let identity = try ClientIdentityError.wrapping { () throws(TLSError) in
      try TLSIdentity(certificates: [UInt8](certificates), key: [UInt8](key), password: password)
    }
    self.init(.identity(identity), persistence)
  }

  /// Makes a credential of a PKCS #12 file (`.p12`, `.pfx`). An addition of this package.
  ///
  /// - Parameters:
  ///   - pkcs12: The file's contents; of several identities the first is taken.
  ///   - password: Opens it.
  ///   - persistence: How long the credential may be kept; `.forSession` by default.
  /// - Throws: ``ClientIdentityError`` where it cannot be read, also where it is encrypted in a way that the system's
  ///   OpenSSL has given up.
  public convenience init(
    pkcs12: Data, password: String, persistence: Persistence = .forSession
  ) throws(ClientIdentityError) {
    let identity = try ClientIdentityError.wrapping { () throws(TLSError) in
      try TLSIdentity(pkcs12: [UInt8](pkcs12), password: password)
    }
    self.init(.identity(identity), persistence)
  }

  /// Makes a credential of a certificate, and of a key that OpenSSL finds at an address (ossl_store(7)). An addition of this
  /// package.
  ///
  /// The system's OpenSSL has to be able to: `file:` always works, `pkcs11:` where the configuration of OpenSSL loads a provider
  /// for it, `org.openssl.engine:ENGINE:KEY` where there is that engine. A key on a token stays there, and signs on the
  /// thread of the session's ``URLSessionConfiguration/EventLoop``: with a slow one, give the session a loop of its own.
  ///
  /// - Parameters:
  ///   - certificates: In PEM, the client's own first; or its own in DER.
  ///   - keyURI: Where the key is.
  ///   - password: The passphrase, or the token's PIN; there is no question for one.
  ///   - persistence: How long the credential may be kept; `.forSession` by default.
  /// - Throws: ``ClientIdentityError``, also where nothing that OpenSSL has loaded understands the address.
  public convenience init(
    certificates: Data, keyURI: String, password: String? = nil, persistence: Persistence = .forSession
  ) throws(ClientIdentityError) {
    let identity = try ClientIdentityError.wrapping { () throws(TLSError) in
      try TLSIdentity(
        certificates: [UInt8](certificates), key: PrivateKey(uri: keyURI, password: password))
    }
    self.init(.identity(identity), persistence)
  }

  /// The certificate and its key; `nil` for a credential of another kind.
  public var identity: SecIdentity? { clientIdentity.map(SecIdentity.init) }

  /// The certificates that are sent beside the identity's own; empty for a credential of another kind.
  public var certificates: [SecCertificate] {
    clientIdentity?.chain.dropFirst().map(SecCertificate.init) ?? []
  }

  /// The identity for a handshake.
  package var clientIdentity: TLSIdentity? {
    if case .identity(let identity) = proof { identity } else { nil }
  }
}

/// The reason why a certificate and its key cannot be used. Never says anything of the key.
public struct ClientIdentityError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The reason, in words.
  public let reason: String

  static func wrapping<Value>(
    _ body: () throws(TLSError) -> Value
  ) throws(ClientIdentityError) -> Value {
    do throws(TLSError) {
      return try body()
    } catch {
      throw ClientIdentityError(reason: error.description)
    }
  }

  /// The reason, in a sentence.
  public var description: String { "client certificate: \(reason)" }

  /// The same text as `description`.
  public var errorDescription: String? { description }
}
