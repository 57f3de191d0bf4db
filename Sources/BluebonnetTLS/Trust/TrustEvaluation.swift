// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// One evaluation of a server's chain.
struct TrustEvaluation {
  /// `nil` leaves the name unchecked.
  var host: String?
  var validatesDates = true
  /// In seconds since 1970; `nil` for now.
  var time: Int64?
  /// OpenSSL's security level, which says how strong keys and signatures must be.
  var securityLevel: Int32 = TLSContext.securityLevel

  /// The purpose that the chain is to be good for.
  var purpose = CertificatePurpose.server

  /// Evaluates a chain by a store and those beside it, of which one is enough.
  func run(_ presented: CertificateStack, in store: TrustStore) -> Result<[Certificate], TrustFailure> {
    var objection: TrustFailure?
    for store in store.all {
      switch runAlone(presented, in: store) {
      case .success(let chain): return .success(chain)
      // Whichever store knew the issuer has the more telling reason.
      case .failure(let failure): if objection?.isLackOfAnchor ?? true { objection = failure }
      }
    }
    return .failure((objection ?? .unspecified).naming(presented.certificates.first, for: host))
  }

  private func runAlone(
    _ presented: CertificateStack, in store: TrustStore
  ) -> Result<[Certificate], TrustFailure> {
    defer { ERR_clear_error() }
    guard let leaf = OPENSSL_sk_value(presented.pointer, 0), let context = X509_STORE_CTX_new() else {
      return .failure(.unspecified)
    }
    defer { X509_STORE_CTX_free(context) }
    guard X509_STORE_CTX_init(context, store.pointer, OpaquePointer(leaf), presented.pointer) == 1,
      X509_STORE_CTX_set_default(context, purpose.rawValue) == 1, demand(of: context)
    else { return .failure(.unspecified) }
    let holds = X509_verify_cert(context) == 1
    if let failure = TrustFailure(code: Int(X509_STORE_CTX_get_error(context)), in: store) {
      return .failure(failure)
    }
    guard holds else { return .failure(.unspecified) }
    return .success(CertificateStack.certificates(in: X509_STORE_CTX_get0_chain(context)))
  }

  private func demand(of context: OpaquePointer) -> Bool {
    let parameters = X509_STORE_CTX_get0_param(context)
    X509_VERIFY_PARAM_set_auth_level(parameters, max(securityLevel, TLSContext.securityLevel))
    if let time { X509_VERIFY_PARAM_set_time(parameters, Int(time)) }
    if !validatesDates {
      guard X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME)) == 1 else {
        return false
      }
    }
    guard let host else { return true }
    return PeerName(host: host).demand(in: parameters)
  }
}

extension TrustFailure {
  /// Whether there may be nothing against the chain but that its end is not known here.
  var isLackOfAnchor: Bool { reason == .unknownIssuer || reason == .selfSigned }

  /// No chain to evaluate, or no means to evaluate it.
  static var unspecified: TrustFailure {
    TrustFailure(reason: .other, code: Int(X509_V_ERR_UNSPECIFIED), text: "no evaluation possible")
  }

  /// `nil` if the code says that the chain is good. Where the chain is not at fault for the lack of an anchor, the
  /// text says so.
  init?(code: Int, in store: TrustStore?) {
    guard let failure = TrustFailure(code: code) else { return nil }
    guard failure.reason == .unknownIssuer, let lack = store?.lackOfAuthorities else {
      self = failure
      return
    }
    self.init(reason: .unknownIssuer, code: code, text: lack)
  }

  init(reason: Reason, code: Int, text: String) {
    self.reason = reason
    self.code = code
    self.text = text
  }
}

/// The purpose of a certificate (RFC 5280 §4.2.1.12), in OpenSSL's names of the rules for it.
package enum CertificatePurpose: String, Sendable, Hashable {
  case server = "ssl_server"
  case client = "ssl_client"
  case any = "default"
}
