// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BluebonnetTLS

/// The chain that is shown is a path: each certificate in it has signed the one before. What else a server sends
/// proves nothing, because anybody can send anybody's certificates.
@Suite struct CertificatePathTests {
  /// A certificate made to order, and its key.
  private struct Made {
    let certificate: Certificate
    let key: PrivateKey

    /// Signed by `issuer`, or by itself; `subject` may be anybody's name.
    init(_ subject: String, by issuer: Made? = nil, isAuthority: Bool = true, key: PrivateKey? = nil) throws {
      self.key = try key ?? PrivateKey(generating: .ellipticP256)
      let draft = CertificateDraft(
        commonName: subject, names: isAuthority ? [] : [.dns("localhost")], isAuthority: isAuthority,
        validity: .days(1), publicKey: self.key)
      certificate = try draft.signed(by: issuer?.certificate, issuer?.key ?? self.key)
    }
  }

  private let root: Made
  private let middle: Made
  private let leaf: Made

  init() throws {
    root = try Made("Root")
    middle = try Made("Middle", by: root)
    leaf = try Made("leaf", by: middle, isAuthority: false)
  }

  /// What is shown of certificates that were presented in this order.
  private func chain(_ presented: [Made], anchors: [Made] = []) throws -> [Certificate] {
    try ServerTrust(
      host: "other.test", chain: presented.map(\.certificate),
      anchors: .certificates(anchors.map(\.certificate))
    ).chain
  }

  @Test func whatWasOnlySentAlongIsNotInIt() throws {
    let stranger = try Made("leaf", isAuthority: false)
    #expect(try chain([stranger, leaf]) == [stranger.certificate])
    #expect(try chain([stranger, leaf, middle, root]) == [stranger.certificate])
    #expect(try chain([stranger, root], anchors: [root]) == [stranger.certificate])
    let foreign = try Made("Foreign")
    let below = try Made("leaf", by: foreign, isAuthority: false)
    #expect(
      try chain([below, leaf, middle, foreign, root]) == [below.certificate, foreign.certificate])
  }

  @Test func theOrderDoesNotMatterBehindTheLeaf() throws {
    let path = [leaf, middle, root].map(\.certificate)
    #expect(try chain([leaf, middle, root]) == path)
    #expect(try chain([leaf, root, middle]) == path)
    #expect(try chain([leaf, leaf, root, root, middle, middle, leaf]) == path)
    let stranger = try Made("Stranger")
    #expect(try chain([leaf, stranger, root, stranger, middle]) == path)
  }

  @Test func anAnchorEndsItAlsoIfItWasNotSent() throws {
    #expect(try chain([leaf, middle], anchors: [root]) == [leaf, middle, root].map(\.certificate))
    #expect(try chain([leaf], anchors: [root]) == [leaf.certificate])
  }

  @Test func aNameWithoutTheKeyBehindItSignsNothing() throws {
    // Same subject, other key; with and without the certificate it pretends to be.
    let impostor = try Made("Middle", by: Made("Other Root"))
    #expect(try chain([leaf, impostor]) == [leaf.certificate])
    #expect(try chain([leaf, impostor, middle]) == [leaf, middle].map(\.certificate))
    // Names its issuer, but has another's signature.
    let forged = try Made("leaf", isAuthority: false)
    let draft = CertificateDraft(
      commonName: "leaf", names: [], isAuthority: false, validity: .days(1), publicKey: forged.key)
    let claimed = try draft.signed(by: middle.certificate, forged.key)
    let shown = try ServerTrust(
      host: "other.test", chain: [claimed, middle.certificate, root.certificate],
      anchors: .certificates([root.certificate])
    ).chain
    #expect(shown == [claimed])
  }

  @Test func whoIsNoAuthoritySignsNothing() throws {
    // An attacker's own good certificate, and what he signs with its key.
    let own = try Made("attacker", by: middle, isAuthority: false)
    let victim = try Made("victim", by: own, isAuthority: false)
    #expect(try chain([victim, own, middle, root], anchors: [root]) == [victim.certificate])
    let between = try Made("between", by: own)
    let deeper = try Made("victim", by: between, isAuthority: false)
    #expect(
      try chain([deeper, between, own, middle, root]) == [deeper, between].map(\.certificate))
  }

  @Test func aSelfSignedLeafIsAlone() throws {
    let alone = try Made("localhost", isAuthority: false)
    #expect(try chain([alone]) == [alone.certificate])
    // Also in the name of one that was sent along, whose key it has not.
    let pretender = try Made("Root")
    #expect(try chain([pretender, root]) == [pretender.certificate])
  }

  @Test func aCircleEnds() throws {
    let keys = (try PrivateKey(generating: .ellipticP256), try PrivateKey(generating: .ellipticP256))
    let first = try Made("First", by: Made("Second", key: keys.1), key: keys.0)
    let second = try Made("Second", by: Made("First", key: keys.0), key: keys.1)
    let under = try Made("leaf", by: first, isAuthority: false)
    let shown = try chain([under, first, second, first, second])
    #expect(shown == [under, first, second].map(\.certificate))
  }

  @Test func aCrossSignedAuthorityLeadsToTheAnchorThatIsKnown() throws {
    let other = try Made("Other Root")
    let crossed = try Made("Middle", by: other, key: middle.key)
    let known = try chain([leaf, crossed, middle, other, root], anchors: [middle])
    #expect(known == [leaf, middle].map(\.certificate))
    let shown = try chain([leaf, crossed, middle, other, root])
    #expect(shown == [leaf, crossed, other].map(\.certificate))
  }

  @Test func manyCertificatesOfOneNameAreNotTriedForEver() throws {
    var presented = [leaf]
    let key = try PrivateKey(generating: .ellipticP256)
    for _ in 0..<300 { presented.append(try Made("Middle", by: root, key: key)) }
    let shown = try chain(presented + [middle])
    #expect(shown.first == leaf.certificate)
    #expect(shown.count <= 2)
    let before = processorTime
    _ = try chain(presented)
    // A few dozen signatures are looked at, a millisecond each at the very most. The thread's own time: others may be busy.
    #expect(processorTime - before < 5)
  }

  /// What this thread has spent, in seconds.
  private var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
