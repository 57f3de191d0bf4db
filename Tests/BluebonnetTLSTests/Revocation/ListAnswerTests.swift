// SPDX-License-Identifier: MIT
import BluebonnetTestAuthority
import Glibc
import Testing

@testable import BluebonnetTLS

/// What revocation lists say, and which are believed (RFC 5280 §6.3).
@Suite struct ListAnswerTests {
  private static let scene = Result { try Scene() }

  struct Scene: Sendable {
    let root: StatusAuthority
    let other: StatusAuthority
    let below: StatusAuthority
    let leaf: StatusLeaf

    init() throws {
      root = try StatusAuthority()
      other = try StatusAuthority("Other Root")
      below = try StatusAuthority("Below", below: root)
      leaf = try root.server()
    }
  }

  enum Expected: Equatable, Sendable {
    case good
    case revoked
    case fault(RevocationFault)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Expected
    let list: @Sendable (Scene) throws -> [UInt8]

    init(_ name: String, _ expected: Expected, _ list: @escaping @Sendable (Scene) throws -> [UInt8]) {
      (testDescription, self.expected, self.list) = (name, expected, list)
    }
  }

  static let rows: [Row] = [
    Row("empty", .good) { try $0.root.list() },
    Row("revokes others", .good) { try $0.root.list(revoking: [1, 2, 4_712]) },
    Row("revokes it", .revoked) { try $0.root.list(revoking: [1, 4_711]) },
    Row("in PEM", .revoked) { Array(StatusAuthority.pem(ofList: try $0.root.list(revoking: [4_711])).utf8) },
    Row("out of date", .fault(.expired)) { try $0.root.list(thisUpdate: -9_000, nextUpdate: -600) },
    Row("out of date and revokes it", .fault(.expired)) {
      try $0.root.list(revoking: [4_711], thisUpdate: -9_000, nextUpdate: -600)
    },
    Row("out of date by less than clocks may differ", .good) {
      try $0.root.list(thisUpdate: -9_000, nextUpdate: -120)
    },
    Row("not yet", .fault(.notYetValid)) { try $0.root.list(thisUpdate: 600) },
    Row("without an end", .good) { try $0.root.list(nextUpdate: nil) },
    Row("old without an end", .fault(.expired)) {
      try $0.root.list(thisUpdate: -2 * 86_400, nextUpdate: nil)
    },
    Row("another authority's", .fault(.otherCertificate)) { try $0.other.list(revoking: [4_711]) },
    Row("signed by another", .fault(.wrongSigner)) { try $0.root.list(signedBy: $0.other) },
    Row("of users' certificates", .good) { try $0.root.list(scope: .users) },
    Row("of authorities only", .fault(.otherCertificate)) { try $0.root.list(scope: .authorities) },
    Row("of some reasons only", .fault(.otherCertificate)) { try $0.root.list(scope: .someReasons) },
    Row("of another distribution point", .fault(.otherCertificate)) {
      try $0.root.list(scope: .otherPoint)
    },
    Row("SHA-1 signature", .fault(.weakSignature)) { try $0.root.list(digest: .sha1) },
    Row("nothing", .fault(.malformed)) { _ in [] },
    Row("cut short", .fault(.malformed)) { try $0.root.list().dropLast() },
    Row("a byte too many", .fault(.malformed)) { try $0.root.list() + [0] },
    Row("a certificate", .fault(.malformed)) { $0.leaf.der },
  ]

  @Test(arguments: rows) func isBelievedOrNot(_ row: Row) throws {
    let scene = try Self.scene.get()
    #expect(try finding(scene, row.list(scene)) == row.expected)
  }

  private func finding(_ scene: Scene, _ list: [UInt8]) throws -> Expected {
    let (leaf, root) = (try Certificate(der: scene.leaf.der), try Certificate(der: scene.root.der))
    do throws(RevocationFault) {
      switch try RevocationList(list).answer(about: leaf, issuer: root, at: Int64(time(nil))).status {
      case .good: return .good
      case .revoked(let revocation): return revocation.reason == 1 ? .revoked : .fault(.malformed)
      case .unknown: return .fault(.missing)
      }
    } catch {
      return .fault(error)
    }
  }

  private static let ofRSA = Result { try StatusAuthority(key: .rsa(bits: 2048)) }

  /// Of RSASSA-PSS, the hash functions are parameters.
  @Test(
    arguments: [
      (TestAnswer.Digest.sha256, TestAnswer.Digest.sha256, true), (.sha512, .sha512, true),
      (.sha1, .sha1, false),
      (.sha256, .sha1, false), (.sha1, .sha256, false),
    ])
  func aListSignedByPSS(digest: TestAnswer.Digest, maskDigest: TestAnswer.Digest, isBelieved: Bool) throws {
    let root = try Self.ofRSA.get()
    let (leaf, issuer) = (try Certificate(der: root.server().der), try Certificate(der: root.der))
    let list = try RevocationList(root.list(digest: digest, maskDigest: maskDigest))
    let answer = Result { () throws(RevocationFault) in
      try list.answer(about: leaf, issuer: issuer, at: Int64(time(nil))).status
    }
    #expect(answer == (isBelieved ? .success(.good) : .failure(.weakSignature)))
  }

  /// Who may issue certificates may not for that sign lists (RFC 5280 §4.2.1.3).
  @Test func theIssuerNeedsTheRight() throws {
    let root = try StatusAuthority("Mute", extensions: [.authority, .keyUsage("keyCertSign")])
    let leaf = try root.server()
    #expect(throws: RevocationFault.wrongSigner) {
      try RevocationList(root.list()).answer(
        about: Certificate(der: leaf.der), issuer: Certificate(der: root.der), at: Int64(time(nil)))
    }
  }

  /// A list of authorities tells of those.
  @Test func anAuthorityBelow() throws {
    let scene = try Self.scene.get()
    let (below, root) = (try Certificate(der: scene.below.der), try Certificate(der: scene.root.der))
    for (list, expected) in [
      (try scene.root.list(scope: .authorities), true), (try scene.root.list(revoking: [1]), false),
    ] {
      let answer = try RevocationList(list).answer(about: below, issuer: root, at: Int64(time(nil)))
      #expect((answer.status == .good) == expected)
    }
  }

  @Test func anyOtherByteIsNoticed() throws {
    let scene = try Self.scene.get()
    let list = try scene.root.list(revoking: [4_711])
    for index in list.indices {
      var changed = list
      changed[index] ^= 0x40
      #expect(try finding(scene, changed) != .good, "at \(index)")
    }
  }
}
