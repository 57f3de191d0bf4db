import BluebonnetTLS
import Testing

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
}
