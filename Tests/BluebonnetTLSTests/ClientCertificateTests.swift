// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct ClientCertificateTests {
  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aRequiredCertificateReachesTheServer(version: TLSVersion) throws {
    let authority = try Shared.authority.get()
    let identity = try authority.issue(commonName: "somebody", names: [.dns("somebody.test")])
    let server = try Shared.server { $0.clientCertificates = .required(anchors: [authority.certificate]) }
    let client = try Shared.client {
      $0.identity = identity
      $0.maximumVersion = version
    }
    let pair = try EnginePair(client: client, server: server)
    try pair.handshake()
    #expect(pair.server.peerCertificate == identity.certificate)
    #expect(pair.server.peerCertificate?.commonName == "somebody")
  }

  @Test func aMissingCertificateIsRefusedIfRequiredAndServedIfOnlyRequested() throws {
    let anchors = [try Shared.authority.get().certificate]
    let required = try EnginePair(
      client: Shared.client(), server: Shared.server { $0.clientCertificates = .required(anchors: anchors) })
    #expect(throws: TLSError.self) { try required.handshake() }
    let requested = try EnginePair(
      client: Shared.client(), server: Shared.server { $0.clientCertificates = .requested(anchors: anchors) })
    try requested.handshake()
    #expect(requested.server.peerCertificate == nil)
  }

  @Test func withTLS13TheRefusalReachesTheClientWhenItReads() throws {
    let anchors = [try Shared.authority.get().certificate]
    let pair = try EnginePair(
      client: Shared.client(), server: Shared.server { $0.clientCertificates = .required(anchors: anchors) })
    #expect(throws: TLSError.self) { try pair.handshake() }
    let error = #expect(throws: TLSError.self) { try pair.deliver(from: pair.server, to: pair.client) }
    // Alert 116, certificate_required (RFC 8446 §6.2).
    #expect(error?.code == .clientCertificateRequired)
    #expect(error?.fault == .caller)
  }

  @Test func withTLS12TheRefusalEndsTheHandshake() throws {
    let anchors = [try Shared.authority.get().certificate]
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = .tls12 },
      server: Shared.server { $0.clientCertificates = .required(anchors: anchors) })
    #expect(throws: TLSError.self) { try pair.handshake() }
    let error = #expect(throws: TLSError.self) {
      try pair.move(from: pair.server, to: pair.client) { _ = try pair.client.handshake() }
    }
    #expect(error?.code == .clientCertificateRequired)
  }

  /// The same alert from a server that never asked, or that got one, says something else.
  @Test func anotherRefusalIsNotMistakenForIt() throws {
    let authority = try Shared.authority.get()
    let stranger = try CertificateAuthority(commonName: "Stranger").issue(names: [.dns("somebody.test")])
    let pair = try EnginePair(
      client: Shared.client {
        $0.identity = stranger
        $0.maximumVersion = .tls12
      }, server: Shared.server { $0.clientCertificates = .required(anchors: [authority.certificate]) })
    #expect(throws: TLSError.self) { try pair.handshake() }
    let error = #expect(throws: TLSError.self) {
      try pair.move(from: pair.server, to: pair.client) { _ = try pair.client.handshake() }
    }
    // RFC 8446 §6.2: unknown_ca.
    #expect(error?.code == .clientCertificateRejected(48))
    #expect(error?.fault == .caller)
  }

  @Test func aStrangersCertificateIsRejected() throws {
    let anchors = [try Shared.authority.get().certificate]
    let stranger = try CertificateAuthority(commonName: "Stranger").issue(names: [.dns("somebody.test")])
    let pair = try EnginePair(
      client: Shared.client { $0.identity = stranger },
      server: Shared.server { $0.clientCertificates = .required(anchors: anchors) })
    let error = #expect(throws: TLSError.self) { try pair.handshake() }
    guard case .certificateRejected(let failure) = error?.code else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(failure.reason == .unknownIssuer)
  }
}
