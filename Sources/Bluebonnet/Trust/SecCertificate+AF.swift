// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension SecCertificate: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == SecCertificate {
  /// The public key that the certificate certifies; `nil` if it is of a kind that cannot be read.
  public var publicKey: SecKey? { SecCertificateCopyKey(type) }
}

extension Array: AlamofireExtended where Element == SecCertificate {}

extension AlamofireExtension where ExtendedType == [SecCertificate] {
  /// Each certificate in its DER encoding.
  public var data: [Data] { type.map(SecCertificateCopyData) }

  /// The public keys of the certificates that have one.
  public var publicKeys: [SecKey] { type.compactMap(\.af.publicKey) }
}
