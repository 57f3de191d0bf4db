// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@testable import BluebonnetAuthentication

/// Schemes whose steps go over one connection.
@Suite struct ConnectionBoundTests {
  /// A CHALLENGE_MESSAGE without anything about its server.
  private static let challenge =
    "NTLM "
    + Base64.encode(
      Array("NTLMSSP\u{0}".utf8) + [2, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [1, 2, 0, 0]
        + [1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 8))

  private func type(_ field: String?) -> UInt8? {
    guard let field, field.hasPrefix("NTLM "), let bytes = Base64.decode(field.dropFirst(5)) else {
      return nil
    }
    return bytes[8]
  }

  @Test(arguments: [AuthenticationSide.origin, .proxy])
  func ntlmTakesThreeMessages(_ side: AuthenticationSide) throws {
    var steps = Steps(side)
    _ = try steps.proof()
    #expect(!steps.machine.isBoundToConnection)
    #expect(steps.challenged("NTLM") == "again")
    #expect(steps.machine.isBoundToConnection && steps.machine.withholdsContent)
    #expect(type(try steps.proof()) == 1)
    #expect(steps.challenged(Self.challenge) == "again, same connection")
    #expect(!steps.machine.withholdsContent)
    #expect(type(try steps.proof()) == 3)
    #expect(steps.machine.isBoundToConnection)
    #expect(steps.received(200) == "pass")
    // Where it is known, the first message goes out with the first request.
    var next = steps.next(login: Steps.user)
    #expect(type(try next.proof("/elsewhere")) == 1)
    #expect(next.machine.isBoundToConnection)
  }

  @Test func aRefusedPasswordIsAskedForOnce() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged("NTLM, Basic realm=r")
    _ = try steps.proof()
    _ = steps.challenged(Self.challenge)
    _ = try steps.proof()
    #expect(steps.challenged("NTLM, Basic realm=r") == "ask ntlm, basic")
    #expect(steps.machine.failures == 1)
    #expect(try steps.proof() == nil)
  }

  @Test(arguments: [
    ("NTLM", "ask ntlm"), ("NTLM AAAA", "pass"), ("NTLM !!!!", "ask ntlm"),
    ("Basic realm=r", "ask basic"),
  ])
  func aServerThatDoesNotGoOn(_ answer: String, _ step: String) throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged("NTLM")
    _ = try steps.proof()
    #expect(steps.challenged(answer) == step)
  }

  @Test func aLostConnectionBeginsAnewOnce() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged("NTLM")
    _ = try steps.proof()
    _ = steps.challenged(Self.challenge)
    try steps.machine.connectionLost()
    #expect(type(try steps.proof()) == 1)
    #expect(steps.challenged(Self.challenge) == "again, same connection")
    let fault = #expect(throws: AuthenticationFault.self) { try steps.machine.connectionLost() }
    #expect(fault?.kind == .connectionLost)
  }

  /// The server wants no proof any more: what it has answered is a request without its content.
  @Test func contentThatWasHeldBackIsSentAfterAll() throws {
    for (content, step) in [(AuthenticatedRequest.Content.bytes([1]), "again"), (.none, "pass")] {
      var steps = Steps()
      _ = try steps.proof()
      _ = steps.challenged("NTLM")
      _ = try steps.proof(content: content)
      #expect(steps.received(200) == step)
      #expect(try steps.proof(content: content) == nil)
    }
  }

  @Test func negotiateIsMadeWhereBlockingIsAllowed() throws {
    var steps = Steps(login: .ticket)
    _ = try steps.proof()
    #expect(steps.challenged("Negotiate") == "again")
    switch GSSLibrary.shared {
    case .success:
      #expect(try steps.proof() == "later")
      #expect(steps.machine.isBoundToConnection)
      // What a response says before anything has been proved does not count.
      #expect(steps.received(200) == "fail mutualAuthenticationFailed")
    case .failure(let fault):
      let thrown = #expect(throws: AuthenticationFault.self) { try steps.proof() }
      #expect(thrown == fault)
    }
  }

  @Test func aLibraryThatIsNotThereIsNamed() {
    guard case .failure(let fault) = GSSLibrary.load("libnobody_has_this.so.7") else {
      Issue.record("a library that nobody has")
      return
    }
    #expect(fault.kind == .unsupported && fault.description.contains("libnobody_has_this.so.7"))
    // One that is there, and something else.
    guard case .failure(let other) = GSSLibrary.load("libcrypto.so.3") else {
      Issue.record("OpenSSL is no Kerberos")
      return
    }
    #expect(other.description.contains("functions are missing"))
  }
}
