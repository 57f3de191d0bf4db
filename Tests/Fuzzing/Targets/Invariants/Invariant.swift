// SPDX-License-Identifier: MIT

/// What must hold for any input, one case per fuzz target.
enum Invariant: String, CaseIterable, Sendable {
  case response, request, exchange, chunked, trailers, cookies, disposition, forms, encoders, websocket
  case resume, events, authentication, socks, tunnel, cookiefile, netrc, stored, links
  case pkcs12, pem, ocsp, crl, certificate

  /// Nothing, or what was violated.
  func violation(_ input: [UInt8]) -> String? {
    switch self {
    case .response: ResponseInvariant.violation(input)
    case .request: RequestInvariant.violation(input)
    case .exchange: ExchangeInvariant.violation(input)
    case .chunked: ChunkedInvariant.violation(input)
    case .trailers: TrailersInvariant.violation(input)
    case .cookies: CookiesInvariant.violation(input)
    case .disposition: DispositionInvariant.violation(input)
    case .forms: FormsInvariant.violation(input)
    case .encoders: EncodersInvariant.violation(input)
    case .websocket: WebSocketInvariant.violation(input)
    case .resume: ResumeInvariant.violation(input)
    case .events: EventStreamInvariant.violation(input)
    case .authentication: AuthenticationInvariant.violation(input)
    case .socks: SOCKSInvariant.violation(input)
    case .tunnel: TunnelInvariant.violation(input)
    case .cookiefile: CookieFileInvariant.violation(input)
    case .netrc: NetrcInvariant.violation(input)
    case .stored: StoredInvariant.violation(input)
    case .links: LinkInvariant.violation(input)
    case .pkcs12: PKCS12Invariant.violation(input)
    case .pem: PEMInvariant.violation(input)
    case .ocsp: RevocationInvariant.violation(ofResponse: input)
    case .crl: RevocationInvariant.violation(ofList: input)
    case .certificate: CertificateInvariant.violation(input)
    }
  }
}
