import BluebonnetFoundation
import BluebonnetURLLoading

extension SecCertificate: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == SecCertificate {
  /// The certificate's public key.
  public var publicKey: SecKey? { SecCertificateCopyKey(type) }
}

extension Array: AlamofireExtended where Element == SecCertificate {}

extension AlamofireExtension where ExtendedType == [SecCertificate] {
  /// The certificates, DER-encoded.
  public var data: [Data] { type.map(SecCertificateCopyData) }

  /// The public keys of the certificates that have one.
  public var publicKeys: [SecKey] { type.compactMap(\.af.publicKey) }
}
