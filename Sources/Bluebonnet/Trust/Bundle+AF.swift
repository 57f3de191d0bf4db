// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetURLLoading

extension Bundle {
  /// The main bundle; nil where `/proc` is not mounted. Foundation finds its place there, and stops the program without it.
  static var ofProgram: Bundle? { access("/proc/self/exe", F_OK) == 0 ? main : nil }

  @usableFromInline static var certificatesOfProgram: [SecCertificate] { ofProgram?.af.certificates ?? [] }
}

extension Bundle: AlamofireExtended {}

extension AlamofireExtension where ExtendedType: Bundle {
  /// The certificates among the bundle's resources, DER-encoded in files named `.cer`, `.crt` or `.der`.
  public var certificates: [SecCertificate] {
    paths(forResourcesOfTypes: ["cer", "CER", "crt", "CRT", "der", "DER"]).compactMap { path in
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
      return SecCertificateCreateWithData(nil, data)
    }
  }

  /// The public keys of the certificates that the bundle holds, for ``PublicKeysTrustEvaluator``.
  public var publicKeys: [SecKey] {
    certificates.af.publicKeys
  }

  /// The paths of the resources with one of these extensions, each once.
  public func paths(forResourcesOfTypes types: [String]) -> [String] {
    Array(Set(types.flatMap { type.paths(forResourcesOfType: $0, inDirectory: nil) })).sorted()
  }
}
