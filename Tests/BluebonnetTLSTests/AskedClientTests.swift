// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

/// A client that leaves trust to its driver waits when it is asked for a certificate, and shows none before it is told.
@Suite struct AskedClientTests {
  /// A pair whose client waits.
  private func asked(
    _ version: TLSVersion, required: Bool = true, split: Int = .max
  ) throws -> (pair: EnginePair, authority: CertificateAuthority) {
    let authority = try Shared.authority.get()
    let anchors = [authority.certificate]
    let pair = try EnginePair(
      client: Shared.client {
        $0.verification = .manual
        $0.maximumVersion = version
      },
      server: Shared.server {
        $0.clientCertificates = required ? .required(anchors: anchors) : .requested(anchors: anchors)
      }, split: split)
    #expect(try pair.client.handshake() == .needsInput)
    try pair.move(from: pair.client, to: pair.server) { _ = try pair.server.handshake() }
    var step = TLSEngine.Step.needsInput
    try pair.move(from: pair.server, to: pair.client) {
      if step == .needsInput { step = try pair.client.handshake() }
    }
    #expect(step == .certificateRequested)
    return (pair, authority)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13], [1, 100, .max])
  func itWaitsUntilItIsTold(version: TLSVersion, split: Int) throws {
    let (pair, authority) = try asked(version, split: split)
    // What is known by then is enough to decide by.
    #expect(pair.client.serverTrust?.failure == nil && pair.client.serverTrust != nil)
    #expect(!pair.client.isHandshakeComplete)
    let request = try #require(pair.client.certificateRequest)
    #expect(request.authorities.count == 1)
    #expect(Set(request.keyTypes) == [.rsa, .ellipticCurve, .ed25519, .ed448])
    // However often it is asked to go on, nothing leaves.
    for _ in 0..<3 { #expect(try pair.client.handshake() == .certificateRequested) }
    #expect(pair.client.output.isEmpty)
    let identity = try authority.issue(commonName: "somebody", names: [.dns("somebody.test")])
    try pair.client.authenticate(with: identity)
    try pair.handshake()
    #expect(pair.server.peerCertificate == identity.certificate)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13]) func nobodyIsServedWhereNobodyHasToBe(version: TLSVersion)
    throws
  {
    let (pair, _) = try asked(version, required: false)
    try pair.client.authenticate(with: nil)
    try pair.handshake()
    #expect(pair.server.peerCertificate == nil)
  }

  private static let ofRSA = Result {
    try Shared.authority.get().issue(names: [.dns("localhost")], algorithm: .rsa(bits: 2048))
  }

  /// With RSA key exchange a server proves its key after it has seen the client's certificate: anybody with a copy of the
  /// server's own could ask for that.
  @Test(arguments: [true, false], [TLSClientConfiguration.Verification.manual, .automatic])
  func nothingIsShownToWhoHasProvedNothing(
    isRequired: Bool, verification: TLSClientConfiguration.Verification
  ) throws {
    let anchors = [try Shared.authority.get().certificate]
    let server = try Self.ofRSA.get()
    let pair = try EnginePair(
      client: Shared.client {
        $0.verification = verification
        $0.maximumVersion = .tls12
        $0.settings.cipherList = "AES128-GCM-SHA256"
        if verification == .automatic { $0.identity = server }
      },
      server: Shared.server(server) {
        $0.clientCertificates = isRequired ? .required(anchors: anchors) : .requested(anchors: anchors)
      })
    guard isRequired else {
      try pair.handshake()
      #expect(pair.server.peerCertificate == nil && pair.server.cipherSuite == 0x009C)
      return
    }
    #expect(throws: TLSError.self) { try pair.handshake() }
    let error = #expect(throws: TLSError.self) {
      try pair.move(from: pair.server, to: pair.client) { _ = try pair.client.handshake() }
    }
    #expect(error?.code == .clientCertificateRequired && error?.reason.contains("RSA key exchange") == true)
    #expect(pair.server.peerCertificate == nil)
  }

  @Test func itIsNotAskedWhereNobodyIs() throws {
    let pair = try EnginePair(
      client: Shared.client { $0.verification = .manual }, server: Shared.server())
    try pair.handshake()
    #expect(pair.client.certificateRequest == nil)
  }

  /// 1024 bits are less than the security level asks for.
  @Test func aWeakKeyIsNotUsed() throws {
    let weak = try CertificateAuthority.selfSigned(names: [.dns("weak.test")], algorithm: .rsa(bits: 1024))
    let (pair, _) = try asked(.tls13)
    let error = #expect(throws: TLSError.self) { try pair.client.authenticate(with: weak) }
    #expect(error?.code == .invalidKey && error?.fault == .caller)
  }

  /// Whoever resumes is who was known before: nobody else's ticket is offered.
  @Test(arguments: [TLSVersion.tls12, .tls13]) func sessionsBelongToWhoeverMadeThem(version: TLSVersion)
    throws
  {
    let authority = try Shared.authority.get()
    let people = try ["a", "b"].map { (name: String) in
      try authority.issue(commonName: name, names: [.dns(name + ".test")])
    }
    let client = try Shared.client {
      $0.verification = .manual
      $0.maximumVersion = version
    }
    let server = try Shared.server { $0.clientCertificates = .requested(anchors: [authority.certificate]) }
    func connect(as identity: TLSIdentity?, resuming session: TLSSession?) throws -> EnginePair {
      let pair = try EnginePair(client: client, server: server, resuming: session, as: identity)
      try pair.handshake(as: identity)
      _ = try pair.deliver(from: pair.server, to: pair.client)
      return pair
    }
    for (made, offered, resumes) in [
      (people[0], people[0], true), (people[0], people[1], false), (people[0], nil, false),
      (nil, people[0], false), (nil, nil, true),
    ] as [(TLSIdentity?, TLSIdentity?, Bool)] {
      let session = try #require(try connect(as: made, resuming: nil).client.takeSessions().last)
      let second = try connect(as: offered, resuming: session)
      #expect(second.client.wasResumed == resumes)
      #expect(second.server.peerCertificate?.commonName == offered?.certificate.commonName)
      // And so is what it is given by then.
      let next = try #require(second.client.takeSessions().last ?? (version == .tls12 ? session : nil))
      #expect(try connect(as: offered, resuming: next).client.wasResumed)
    }
  }
}
