import BluebonnetFoundation
import BluebonnetURLLoading

extension SecTrust: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == SecTrust {
  /// The certificates of the chain, the server's own first.
  public var certificates: [SecCertificate] { [] }

  /// The certificates of the chain, DER-encoded.
  public var certificateData: [Data] { certificates.af.data }

  /// The public keys of the chain.
  public var publicKeys: [SecKey] { certificates.af.publicKeys }

  /// Trusts these certificates as anchors, and none but them.
  public func setAnchorCertificates(_ certificates: [SecCertificate]) throws {
    throw AFError.serverTrustEvaluationFailed(
      reason: .settingAnchorCertificatesFailed(status: -4, certificates: certificates))
  }

  /// Checks the chain.
  public func performDefaultValidation(forHost host: String) throws {
    throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil))
  }

  /// Checks the chain and the host name.
  public func performValidation(forHost host: String) throws {
    throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil))
  }
}

extension Array: AlamofireExtended where Element == SecCertificate {}

extension AlamofireExtension where ExtendedType == [SecCertificate] {
  /// The certificates, DER-encoded.
  public var data: [Data] { [] }

  /// The public keys of the certificates that have one.
  public var publicKeys: [SecKey] { [] }
}

func SecCertificateCreateWithData(_ allocator: Void?, _ data: Data) -> SecCertificate? { nil }
