// SPDX-License-Identifier: MIT
import BluebonnetTLS

/// An authority made in memory, which issues certificates for origins: good ones, expired ones, ones for others.
public struct OriginAuthority: Sendable, Hashable {
  /// The subject of a certificate.
  public enum Name: Sendable, Hashable {
    /// A host name; a first label of `*` stands for any.
    case host(String)
    /// An IP address as text, without brackets.
    case address(String)
  }

  /// The PEM text of its certificate, for clients to trust.
  public let certificate: String

  let authority: CertificateAuthority

  /// A new root with a new key.
  ///
  /// - Parameter name: Its common name. Clients are told by it which authorities' certificates a server wants.
  public init(name: String = "Bluebonnet Test Authority") throws(OriginError) {
    do throws(TLSError) {
      authority = try CertificateAuthority(commonName: name)
    } catch {
      throw OriginError(error)
    }
    certificate = authority.certificate.pem
  }

  /// This machine, by each of its usual names.
  public static let loopbackNames: [Name] = [.host("localhost"), .address("127.0.0.1"), .address("::1")]

  /// Issues a certificate.
  ///
  /// - Parameters:
  ///   - names: The subjects.
  ///   - seconds: The period of validity, counted from now: `-7200 ..< -3600` ended an hour ago.
  public func issue(
    names: [Name] = loopbackNames, validFor seconds: Range<Int> = -3_600..<7_776_000
  ) throws(OriginError) -> OriginIdentity {
    try Self.own { () throws(TLSError) in
      try authority.issue(names: Self.subjects(names), validity: Self.validity(seconds))
    }
  }

  /// A certificate that no authority vouches for.
  public static func selfSigned(
    names: [Name] = loopbackNames, validFor seconds: Range<Int> = -3_600..<7_776_000
  ) throws(OriginError) -> OriginIdentity {
    try own { () throws(TLSError) in
      try CertificateAuthority.selfSigned(names: subjects(names), validity: validity(seconds))
    }
  }

  private static func own(_ make: () throws(TLSError) -> TLSIdentity) throws(OriginError) -> OriginIdentity {
    do throws(TLSError) {
      let identity = try make()
      return OriginIdentity(certificateChain: identity.chainPEM, privateKey: identity.privateKey.pem)
    } catch {
      throw OriginError(error)
    }
  }

  private static func validity(_ seconds: Range<Int>) -> Validity {
    Validity(from: seconds.lowerBound, until: seconds.upperBound)
  }

  private static func subjects(_ names: [Name]) -> [SubjectName] {
    names.map { name in
      switch name {
      case .host(let host): .dns(host)
      case .address(let address): .address(address)
      }
    }
  }
}
