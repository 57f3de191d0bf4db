// SPDX-License-Identifier: MIT
import BluebonnetTestAuthority
import Foundation
import Testing

@testable import BluebonnetTLS

/// Revocation lists in files of their own hold for anchors of every kind.
@Suite struct AnchorListsTests {
  private let folder: AnchorFolder
  private let lists: AnchorFolder
  private let root: StatusAuthority
  private let anchor: Certificate
  private let leaf: TLSIdentity

  init() throws {
    folder = try AnchorFolder()
    lists = try AnchorFolder(prefix: "lists-")
    root = try StatusAuthority()
    anchor = try Certificate(der: root.der)
    let leaf = try root.server()
    self.leaf = try TLSIdentity(chainPEM: Array(leaf.pem.utf8), keyPEM: Array(leaf.keyPEM.utf8))
  }

  private func kinds() throws -> [TrustAnchors] {
    try folder.write([root.pem], to: "root.pem")
    let hashed = folder.path(of: "hashed")
    try FileManager.default.createDirectory(atPath: hashed, withIntermediateDirectories: true)
    try folder.write([root.pem], to: "hashed/" + AnchorFolder.hashedName(of: anchor))
    let file = TrustAnchors.file(folder.path(of: "root.pem"))
    let kinds = [
      file, .certificates([anchor]), .directory(folder.path), .directory(hashed),
    ]
    return kinds + kinds.flatMap { [.several([.certificates([]), $0]), .several([$0, .system])] }
  }

  private func context(
    _ anchors: TrustAnchors, _ paths: [String], isRequired: Bool = false
  ) throws -> TLSContext {
    var configuration = TLSClientConfiguration(anchors: anchors, verification: .manual)
    configuration.revocationLists = RevocationListFiles(paths: paths, mustCoverChain: isRequired)
    return try TLSContext(client: configuration)
  }

  private func write(_ list: [UInt8], to name: String) throws -> String {
    let text = Data(list).base64EncodedString(options: .lineLength64Characters)
    try lists.write(["-----BEGIN X509 CRL-----", text, "-----END X509 CRL-----", ""], to: name)
    return lists.path(of: name)
  }

  @Test func everyKindOfAnchorsIsHeldToThem() throws {
    let good = try write(root.list(), to: "good")
    let revoked = try write(root.list(revoking: [4_711]), to: "revoked")
    let foreign = try write(StatusAuthority("Other").list(), to: "foreign")
    let der = lists.path(of: "der")
    try Data(root.list(revoking: [4_711])).write(to: URL(fileURLWithPath: der))
    let rows: [(paths: [String], isRequired: Bool, isGood: Bool)] = [
      ([], false, true), ([], true, false), ([good], false, true), ([good], true, true),
      ([foreign], false, true), ([foreign], true, false), ([foreign, good], true, true),
      ([revoked], false, false), ([revoked], true, false), ([der], false, false),
      ([foreign, der], true, false),
    ]
    for anchors in try kinds() {
      for row in rows {
        let context = try context(anchors, row.paths, isRequired: row.isRequired)
        let failure = try context.objection(to: leaf)
        #expect((failure == nil) == row.isGood, "\(anchors) \(row)")
        if row.paths.contains(revoked) { #expect(failure?.reason == .revoked, "\(anchors) \(row)") }
        // Also by anchors of an evaluator's.
        let pair = try EnginePair(client: context, server: Shared.server(leaf), host: "localhost")
        try pair.handshake()
        let trust = try #require(pair.client.serverTrust)
        for isOnly in [true, false] {
          let verdict = trust.evaluate(host: "localhost", anchors: [anchor], anchorsOnly: isOnly)
          #expect(((try? verdict.get()) != nil) == row.isGood, "\(anchors) \(row)")
        }
        // Whoever asks about revocation finds them, whichever store knows them.
        let kept = try? trust.keptAnswer(
          about: leaf.certificate, issuer: anchor, at: Int64(Date().timeIntervalSince1970))
        #expect((kept == nil) == !row.paths.contains { $0 != foreign }, "\(anchors) \(row)")
      }
    }
    #expect(try TrustStore.store(for: .system).revocationLists.isEmpty)
  }

  /// An anchor needs no list to vouch for it, and most lists that are divided do not speak about it.
  @Test(
    arguments: [
      (StatusAuthority.ListScope.users, [7], true), (.users, [4_711], false), (.all, [7], true),
      (.all, [1], false),
      // Of another part of the list, or of authorities: what the right one says is not known.
      (.otherPoint, [], false), (.authorities, [], false),
    ])
  func aListMayHaveAScope(scope: StatusAuthority.ListScope, revoked: [Int], isGood: Bool) throws {
    let path = try write(root.list(revoking: revoked, scope: scope), to: "scoped")
    for anchors in try kinds() {
      for isRequired in [false, true] {
        let failure = try context(anchors, [path], isRequired: isRequired).objection(to: leaf)
        #expect((failure == nil) == isGood, "\(anchors) \(failure as Any)")
      }
    }
  }

  /// As it comes from a distribution point, beside the anchors in a directory.
  @Test(arguments: [true, false]) func aListInDERBesideTheAnchors(isHashed: Bool) throws {
    let name = isHashed ? AnchorFolder.hashedName(of: anchor) : "root.pem"
    try folder.write([root.pem], to: name)
    let list = isHashed ? String(name.dropLast()) + "r0" : "root.crl"
    for (revoked, isGood) in [([1_000], true), ([4_711], false)] {
      try Data(root.list(revoking: revoked)).write(to: URL(fileURLWithPath: folder.path(of: list)))
      let failure = try context(.directory(folder.path), []).objection(to: leaf)
      #expect((failure == nil) == isGood)
    }
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path(of: list)))
    let error = #expect(throws: TLSError.self) { try context(.directory(folder.path), []) }
    #expect(error?.reason == "\(folder.path(of: list)) holds no certificate and no revocation list")
  }

  @Test func changesAreSeen() throws {
    let path = try write(root.list(), to: "list")
    for anchors in try kinds() + [.system, .several([])] {
      let context = try context(anchors, [path])
      #expect(context.hasCurrentAnchors)
      _ = try write(root.list(revoking: [1]), to: "list")
      #expect(!context.hasCurrentAnchors, "\(anchors)")
    }
  }

  @Test func aFileWithoutAListIsNamed() throws {
    try lists.write([root.pem], to: "none")
    let path = lists.path(of: "none")
    for anchors in try kinds() + [.system] {
      for (name, reason) in [
        (path, "no revocation list can be read from \(path)"),
        (path + "x", "\(path)x cannot be read: No such file or directory"),
        ("/dev/zero", "/dev/zero is not a regular file"),
      ] {
        let error = #expect(throws: TLSError.self) { try context(anchors, [name]) }
        #expect(error?.code == .invalidConfiguration && error?.reason == reason)
      }
    }
  }
}
