// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct HandshakeTests {
  @Test(arguments: [TLSVersion.tls12, .tls13], [1, 7, 100, Int.max])
  func completesInEitherVersionHoweverTheBytesAreSplit(version: TLSVersion, split: Int) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server(), split: split)
    try pair.handshake()
    #expect(pair.client.version == version)
    #expect(pair.server.version == version)
    #expect(!pair.client.wasResumed)
    #expect(pair.client.verificationFailure == nil)
    #expect(pair.client.cipher == pair.server.cipher)
  }

  @Test(arguments: [
    (TLSVersion.tls13, "TLS_AES_128_GCM_SHA256", 0x1301),
    (.tls12, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xc02b),
  ])
  func prefersAES128InBothVersions(version: TLSVersion, name: String, number: UInt16) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server())
    try pair.handshake()
    #expect(pair.client.cipher == name)
    #expect(pair.client.cipherSuite == number)
  }

  @Test func noCommonVersionFailsOnBothSides() throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = .tls12 },
      server: Shared.server { $0.minimumVersion = .tls13 })
    let error = #expect(throws: TLSError.self) { try pair.handshake() }
    #expect(error?.code == .handshakeFailed)
    // The server's alert 70 is protocol_version.
    let told = #expect(throws: TLSError.self) {
      try pair.move(from: pair.server, to: pair.client) { _ = try pair.client.handshake() }
    }
    #expect(told?.code == .alert(70))
    #expect(told?.fault == .peer)
  }

  @Test(
    arguments: [
      ("localhost", "localhost"), ("LOCALHOST", "LOCALHOST"), ("localhost.", "localhost"),
      ("127.0.0.1", nil), ("a.example.test", "a.example.test"),
    ] as [(String, String?)])
  func indicatesNamesButNeverAddresses(host: String, indicated: String?) throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server(), host: host)
    try pair.handshake()
    #expect(pair.server.requestedHost == indicated)
  }

  @Test func negotiatesTheApplicationProtocol() throws {
    let pair = try EnginePair(
      client: Shared.client { $0.applicationProtocols = ["h2", "http/1.1"] }, server: Shared.server())
    try pair.handshake()
    #expect(pair.client.negotiatedProtocol == "http/1.1")
    #expect(pair.server.negotiatedProtocol == "http/1.1")
  }

  @Test func withoutOffersThereIsNoApplicationProtocol() throws {
    let pair = try EnginePair(
      client: Shared.client { $0.applicationProtocols = [] }, server: Shared.server())
    try pair.handshake()
    #expect(pair.client.negotiatedProtocol == nil)
  }

  @Test func noCommonApplicationProtocolIsRefused() throws {
    let pair = try EnginePair(
      client: Shared.client { $0.applicationProtocols = ["h2"] }, server: Shared.server())
    #expect(throws: TLSError.self) { try pair.handshake() }
    // Alert 120 is no_application_protocol (RFC 7301 §3.2).
    let told = #expect(throws: TLSError.self) {
      try pair.move(from: pair.server, to: pair.client) { _ = try pair.client.handshake() }
    }
    #expect(told?.code == .alert(120))
  }

  @Test(arguments: [[""], [String(repeating: "x", count: 256)]])
  func refusesProtocolNamesThatCannotBeSent(names: [String]) {
    let error = #expect(throws: TLSError.self) { try Shared.client { $0.applicationProtocols = names } }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.fault == .caller)
  }

  @Test func minimumAboveMaximumIsTheCallersFault() {
    let error = #expect(throws: TLSError.self) {
      try Shared.client {
        $0.minimumVersion = .tls13
        $0.maximumVersion = .tls12
      }
    }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test(arguments: ["", "nul\0byte"])
  func hostsThatNoCertificateCanNameAreRefused(host: String) throws {
    let context = try Shared.client()
    let error = #expect(throws: TLSError.self) { try TLSEngine(context: context, host: host) }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test func endOfTransportInsideTheHandshakeIsATruncation() throws {
    let client = try TLSEngine(context: Shared.client(), host: "localhost")
    #expect(try client.handshake() == .needsInput)
    client.endOfInput()
    let error = #expect(throws: TLSError.self) { try client.handshake() }
    #expect(error?.code == .truncated)
    #expect(error?.fault == .network)
  }

  @Test func aPeerThatSpeaksPlainTextSpeaksNoTLS() throws {
    let client = try TLSEngine(context: Shared.client(), host: "localhost")
    #expect(try client.handshake() == .needsInput)
    let error = #expect(throws: TLSError.self) {
      try Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withUnsafeBytes {
        client.feed($0)
        _ = try client.handshake()
      }
    }
    #expect(error?.code == .notTLS)
    #expect(error?.fault == .peer)
    // The same error again, not another one.
    let again = #expect(throws: TLSError.self) { try client.handshake() }
    #expect(again == error)
  }

  @Test func writingBeforeTheHandshakeIsTheCallersFaultAndDoesNoHarm() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    let error = #expect(throws: TLSError.self) { try pair.client.write([1, 2, 3]) }
    #expect(error?.fault == .caller)
    try pair.handshake()
    try pair.client.write([1, 2, 3])
    #expect(try pair.deliver(from: pair.client, to: pair.server) == [1, 2, 3])
  }
}
