// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import BluebonnetTLS

/// Anchors from files and directories.
@Suite struct AnchorFilesTests {
  private let folder: AnchorFolder
  private let authority: CertificateAuthority
  private let identity: TLSIdentity
  private let strangers: [String]

  init() throws {
    folder = try AnchorFolder()
    authority = try Shared.authority.get()
    identity = try Shared.identity.get()
    strangers = try (1...3).map { try CertificateAuthority(commonName: "Stranger \($0)").certificate.pem }
  }

  @Test(arguments: 0...3) func theOneOfABundleIsFoundWhereverItStands(_ position: Int) throws {
    var texts = strangers
    texts.insert(authority.certificate.pem, at: position)
    try folder.write(["Some words.\n"] + texts + ["And more."], to: "bundle.pem")
    #expect(try TrustAnchors.file(folder.path(of: "bundle.pem")).objection(to: identity) == nil)
    try folder.write(strangers, to: "bundle.pem")
    let failure = try TrustAnchors.file(folder.path(of: "bundle.pem")).objection(to: identity)
    #expect(failure?.reason == .unknownIssuer)
  }

  /// Several authorities of one name: the right one is the one whose key has signed.
  @Test func namesakesAreTried() throws {
    let namesakes = try (1...3).map { _ in
      try CertificateAuthority(commonName: authority.certificate.commonName ?? "").certificate.pem
    }
    try folder.write(namesakes + [authority.certificate.pem], to: "bundle.pem")
    #expect(try TrustAnchors.file(folder.path(of: "bundle.pem")).objection(to: identity) == nil)
  }

  /// Anchors that somebody names count whatever they are.
  @Test func aLeafAndAnIntermediateAreAnchorsToo() throws {
    let middle = try authority.issueAuthority()
    let below = try middle.issue(names: [.dns("localhost")])
    let alone = try CertificateAuthority.selfSigned(names: [.dns("localhost")])
    for (anchor, identity) in [
      (identity.certificate, identity), (middle.certificate, below), (below.certificate, below),
      (alone.certificate, alone),
    ] {
      try folder.write(strangers + [anchor.pem], to: "bundle.pem")
      #expect(try TrustAnchors.file(folder.path(of: "bundle.pem")).objection(to: identity) == nil)
    }
  }

  @Test func theChainThatIsShownIsTheSame() throws {
    try folder.write(strangers + [authority.certificate.pem], to: "bundle.pem")
    let expired = try authority.issue(names: [.dns("localhost")], validity: .expired)
    for identity in [identity, expired] {
      let trust = try ServerTrust(
        host: "localhost", chain: identity.chain, anchors: .file(folder.path(of: "bundle.pem")))
      #expect(trust.chain == identity.chain + [authority.certificate])
    }
  }

  @Test func aDirectoryOfPlainFiles() throws {
    let anchors = TrustAnchors.directory(folder.path)
    #expect(reason(anchors)?.contains("holds no certificate") == true)
    try folder.write(["not a certificate"], to: "README")
    #expect(reason(anchors)?.contains("holds no certificate") == true)
    try folder.write([strangers[0]], to: "stranger.crt")
    #expect(try anchors.objection(to: identity)?.reason == .unknownIssuer)
    try folder.write([authority.certificate.pem], to: "authority.pem")
    #expect(try anchors.objection(to: identity) == nil)
  }

  /// As certificates are often handed round; and what is neither does not go by in silence.
  @Test func filesInDER() throws {
    let der = Data(authority.certificate.der)
    let file = folder.path(of: "authority.cer")
    try der.write(to: URL(fileURLWithPath: file))
    for anchors in [TrustAnchors.file(file), .directory(folder.path)] {
      #expect(try anchors.objection(to: identity) == nil)
    }
    // A private key beside them is nothing that anybody would rely on as an anchor.
    try folder.write([identity.privateKey.pem], to: "key.pem")
    #expect(try TrustAnchors.directory(folder.path).objection(to: identity) == nil)
    for bytes in [Data(), der.dropLast(), der + [0]] {
      try bytes.write(to: URL(fileURLWithPath: folder.path(of: "other.crt")))
      #expect(
        reason(.directory(folder.path))
          == "\(folder.path(of: "other.crt")) holds no certificate and no revocation list")
    }
  }

  @Test func aHashedDirectory() throws {
    let anchors = TrustAnchors.directory(folder.path)
    let name = AnchorFolder.hashedName(of: authority.certificate)
    try folder.write([authority.certificate.pem], to: name)
    #expect(try anchors.objection(to: identity) == nil)
    // Others do not count where some are hashed, as OpenSSL has it.
    try folder.write([strangers[0]], to: "0123abcd.0")
    try folder.remove(name)
    try folder.write([authority.certificate.pem], to: "authority.pem")
    #expect(try anchors.objection(to: identity)?.reason == .unknownIssuer)
  }

  /// OpenSSL divides its list of directories by colons.
  @Test func aHashedDirectoryWithAColon() throws {
    let folder = try AnchorFolder(prefix: "a:")
    try folder.write([authority.certificate.pem], to: AnchorFolder.hashedName(of: authority.certificate))
    #expect(try TrustAnchors.directory(folder.path).objection(to: identity) == nil)
  }

  private func reason(_ anchors: TrustAnchors) -> String? {
    do {
      _ = try TLSContext(client: TLSClientConfiguration(anchors: anchors))
      return nil
    } catch {
      #expect(error.code == .invalidConfiguration)
      return error.reason
    }
  }

  @Test func whatCannotBeReadIsNamed() throws {
    let path = folder.path(of: "bundle.pem")
    #expect(reason(.file(path)) == "\(path) cannot be read: No such file or directory")
    #expect(reason(.directory(path)) == "\(path) cannot be read: No such file or directory")
    #expect(reason(.file(folder.path)) == "\(folder.path) is not a regular file")
    #expect(reason(.file("/dev/zero")) == "/dev/zero is not a regular file")
    for text in ["", "only words"] {
      try folder.write([text], to: "bundle.pem")
      #expect(reason(.file(path)) == "\(path) holds no certificate and no revocation list")
    }
    let pem = authority.certificate.pem
    let lines = pem.split(separator: "\n").map(String.init)
    // A line is missing, the end is missing, bytes that are no certificate.
    let damaged = [
      (lines[..<2] + lines[3...]).joined(separator: "\n"), lines.dropLast(2).joined(separator: "\n"),
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ]
    for text in damaged {
      try folder.write([pem, text], to: "bundle.pem")
      #expect(reason(.file(path))?.contains("\(path)") == true)
      #expect(reason(.file(path))?.contains("damaged") == true)
      // No other anchor makes up for it.
      #expect(reason(.several([.certificates([authority.certificate]), .file(path)])) != nil)
    }
    // Nothing is remembered.
    try folder.write([pem], to: "bundle.pem")
    #expect(try TrustAnchors.file(path).objection(to: identity) == nil)
  }

  @Test func changesAreSeen() throws {
    try folder.write([authority.certificate.pem], to: "bundle.pem")
    let path = folder.path(of: "bundle.pem")
    let inFile = try TLSContext(client: TLSClientConfiguration(anchors: .file(path)))
    let inFolder = try TLSContext(client: TLSClientConfiguration(anchors: .directory(folder.path)))
    let besides = try TLSContext(
      client: TLSClientConfiguration(anchors: .several([.certificates([]), .file(path)])))
    let none = try TLSContext(client: TLSClientConfiguration(anchors: .certificates([])))
    for context in [inFile, inFolder, besides, none] { #expect(context.hasCurrentAnchors) }
    try folder.write([strangers[0]], to: "another.pem")
    #expect(inFile.hasCurrentAnchors && besides.hasCurrentAnchors && !inFolder.hasCurrentAnchors)
    try folder.write([strangers[0]], to: "bundle.pem")
    #expect(!inFile.hasCurrentAnchors && !besides.hasCurrentAnchors && none.hasCurrentAnchors)
    try folder.remove("bundle.pem")
    #expect(!inFile.hasCurrentAnchors)
  }

  /// The system's come and go as well: `update-ca-certificates`, or the package that brings them.
  @Test func theSystemsAreReadAgain() throws {
    let path = folder.path(of: "bundle.pem")
    let system = SystemAnchors(directories: [folder.path(of: "certs")], bundles: [path])
    let empty = try TrustStore(system)
    #expect(empty.lackOfAuthorities != nil && empty.isCurrent)
    try folder.write(strangers + [authority.certificate.pem], to: "bundle.pem")
    #expect(!empty.isCurrent)
    let filled = try TrustStore(system)
    #expect(filled.lackOfAuthorities == nil && filled.isCurrent)
    #expect(try TrustStore.store(for: .system) === TrustStore.store(for: .system))
  }
}
