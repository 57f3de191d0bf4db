// SPDX-License-Identifier: MIT
import BluebonnetTestAuthority
import Foundation
import Testing

@testable import BluebonnetTLS

@Suite struct SystemAnchorsTests {
  @Test func aStrangerIsNotAmongThem() throws {
    // Holds with and without authorities on the machine.
    let client = try TLSContext(client: TLSClientConfiguration())
    let pair = try EnginePair(client: client, server: Shared.server())
    let error = #expect(throws: TLSError.self) { try pair.handshake() }
    guard case .certificateRejected(let failure) = error?.code else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(failure.reason == .unknownIssuer)
  }

  @Test func aFileThatIsNotThereIsTheCallersFault() {
    let error = #expect(throws: TLSError.self) {
      try TLSContext(client: TLSClientConfiguration(anchors: .file("/nowhere/at/all.pem")))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.fault == .caller)
  }

  /// A file of these texts that is gone afterwards.
  private func withFile<R>(_ texts: [String], _ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("anchors-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("bundle.pem")
    try Data(texts.joined(separator: "\n").utf8).write(to: file)
    return try body(file.path)
  }

  private func objection(to chain: [Certificate], in store: TrustStore) -> TrustFailure? {
    switch TrustEvaluation(host: "localhost").run(CertificateStack(chain), in: store) {
    case .success: nil
    case .failure(let failure): failure
    }
  }

  @Test func withoutAnyTheReasonSaysWhatToInstall() throws {
    let chain = try Shared.identity.get().chain
    for system in [
      SystemAnchors(directories: [], bundles: []),
      SystemAnchors(directories: ["/nowhere"], bundles: ["/nowhere/bundle.pem"]),
      SystemAnchors(file: "/nowhere/bundle.pem", directories: ["/etc/ssl/certs"], bundles: []),
      SystemAnchors(directoryList: "/nowhere:/tmp", directories: ["/etc/ssl/certs"], bundles: []),
    ] {
      let store = try TrustStore(system)
      let failure = try #require(objection(to: chain, in: store))
      #expect(failure.reason == .unknownIssuer)
      #expect(failure.text.hasPrefix("no certificate authorities found"))
      #expect(
        failure.text.contains("install ca-certificates")
          == (system.file == nil && system.directoryList == nil))
    }
    // With one that is another it is not so.
    try withFile([CertificateAuthority(commonName: "Stranger").certificate.pem]) { path in
      let store = try TrustStore(SystemAnchors(file: path, directories: [], bundles: []))
      #expect(objection(to: chain, in: store)?.reason == .unknownIssuer)
      #expect(objection(to: chain, in: store)?.text.contains("ca-certificates") == false)
    }
    // A certificate that vouches for itself would not be believed with authorities either.
    let alone = try CertificateAuthority.selfSigned(names: [.dns("localhost")]).chain
    #expect(
      objection(to: alone, in: try TrustStore(SystemAnchors(directories: [], bundles: [])))?.reason
        == .selfSigned)
  }

  @Test func aBundleIsReadWhereThereIsNoDirectory() throws {
    let authority = try Shared.authority.get().certificate
    try withFile([authority.pem]) { path in
      let store = try TrustStore(SystemAnchors(directories: ["/nowhere"], bundles: ["/nowhere.pem", path]))
      #expect(objection(to: try Shared.identity.get().chain, in: store) == nil)
    }
  }

  /// An authority of the system's signs by the rules (RFC 5280 §4.2.1.1: the issuer's key is named).
  @Test func theSystemsAreEvaluatedStrictlyAndOnesOwnIfOneWants() throws {
    let authority = try Shared.authority.get()
    let key = try PrivateKey(generating: .ellipticP256)
    let draft = CertificateDraft(
      commonName: "localhost", names: [.dns("localhost")], isAuthority: false, validity: .days(1),
      publicKey: key, namesIssuersKey: false)
    let sloppy = try draft.signed(by: authority.certificate, authority.privateKey)
    try withFile([authority.certificate.pem]) { path in
      let system = try TrustStore(SystemAnchors(file: path, directories: [], bundles: []))
      #expect(objection(to: [sloppy], in: system)?.text.lowercased().contains("key identifier") == true)
      #expect(objection(to: try Shared.identity.get().chain, in: system) == nil)
    }
    let server = try Shared.server(TLSIdentity(chain: [sloppy], privateKey: key))
    let lenient = try EnginePair(client: Shared.client(), server: server)
    try lenient.handshake()
    #expect(lenient.client.serverTrust?.failure == nil)
    let strict = try EnginePair(
      client: Shared.client {
        $0.evaluatesOwnAnchorsStrictly = true
        $0.verification = .manual
      }, server: server)
    try strict.handshake()
    let trust = try #require(strict.client.serverTrust)
    #expect(trust.failure?.reason == .other)
    #expect(throws: TrustFailure.self) { try trust.evaluate(host: nil).get() }
    #expect(throws: TrustFailure.self) {
      try trust.evaluate(host: nil, anchors: [authority.certificate], anchorsOnly: true).get()
    }
  }

  /// What a list revokes must not be let in because the list, or what stands before it, is damaged.
  @Test func whatIsDamagedIsNotPassedOver() throws {
    let root = try StatusAuthority()
    let anchor = try Certificate(der: root.der)
    let folder = try AnchorFolder()
    let name = AnchorFolder.hashedName(of: anchor)
    try folder.write([root.pem], to: name)
    let list = try root.list(revoking: [4_711])
    let place = URL(fileURLWithPath: folder.path(of: String(name.dropLast()) + "r0"))
    for (bytes, isRead) in [(list, true), (Array(list.prefix(list.count / 2)), false), ([], false)] {
      try Data(bytes).write(to: place)
      for system in [
        SystemAnchors(directories: [folder.path], bundles: []),
        SystemAnchors(directoryList: folder.path, directories: [], bundles: []),
      ] {
        #expect(((try? TrustStore(system)) != nil) == isRead, "\(bytes.count)")
      }
    }
    let pem = StatusAuthority.pem(ofList: list)
    let lines = pem.split(separator: "\n")
    let halved = [lines[0], lines[1], lines[lines.count - 1]].joined(separator: "\n") + "\n"
    for (text, isRead) in [(pem, true), (halved, false)] {
      try withFile([root.pem, text]) { path in
        for system in [
          SystemAnchors(file: path, directories: [], bundles: []),
          SystemAnchors(directories: [], bundles: [path]),
        ] {
          #expect(((try? TrustStore(system)) != nil) == isRead)
        }
      }
    }
    // A link that leads nowhere is no list, and a text without any is none.
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "/nowhere")
    #expect(throws: Never.self) { try TrustStore(SystemAnchors(directories: [folder.path], bundles: [])) }
    try withFile(["# nobody\n"]) { path in
      #expect(try SystemAnchors(file: path, directories: [], bundles: []).read().hasAuthorities == false)
      let chain = try Shared.identity.get().chain
      try withFile([Shared.authority.get().certificate.pem]) { other in
        let store = try TrustStore(SystemAnchors(directories: [], bundles: [path, other]))
        #expect(objection(to: chain, in: store) == nil)
      }
    }
    // Nobody is to be trusted: evaluators may still have anchors of their own.
    for empty in ["/dev/null", "/nowhere"] {
      #expect(throws: Never.self) { try TrustStore(SystemAnchors(file: empty, directories: [], bundles: [])) }
    }
  }
}
