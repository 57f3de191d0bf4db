#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  extension PinnedCertificatesTrustEvaluator {
    /// An evaluator that pins the certificates of the main bundle.
    public convenience init(
      acceptSelfSignedCertificates: Bool = false, performDefaultValidation: Bool = true,
      validateHost: Bool = true
    ) {
      self.init(
        certificates: Bundle.main.af.certificates, acceptSelfSignedCertificates: acceptSelfSignedCertificates,
        performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
  }

  extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    /// Pins the certificates of the main bundle.
    public static var pinnedCertificates: PinnedCertificatesTrustEvaluator {
      PinnedCertificatesTrustEvaluator()
    }

    /// Pins the certificates of the main bundle, with these validations.
    public static func pinnedCertificates(
      acceptSelfSignedCertificates: Bool = false, performDefaultValidation: Bool = true,
      validateHost: Bool = true
    ) -> PinnedCertificatesTrustEvaluator {
      PinnedCertificatesTrustEvaluator(
        acceptSelfSignedCertificates: acceptSelfSignedCertificates,
        performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
  }

  extension PublicKeysTrustEvaluator {
    /// An evaluator that pins the public keys of the main bundle's certificates.
    public convenience init(performDefaultValidation: Bool = true, validateHost: Bool = true) {
      self.init(
        keys: Bundle.main.af.publicKeys, performDefaultValidation: performDefaultValidation,
        validateHost: validateHost)
    }
  }

  extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
    /// Pins the public keys of the main bundle's certificates.
    public static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }

    /// Pins the public keys of the main bundle's certificates, with these validations.
    public static func publicKeys(
      performDefaultValidation: Bool = true, validateHost: Bool = true
    ) -> PublicKeysTrustEvaluator {
      PublicKeysTrustEvaluator(performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
  }
#endif
