// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import Glibc
import Testing

@testable import BluebonnetTransport

/// The end of a response that came to no good end, in the words of the transport.
@Suite struct PeerFailureTests {
  private static let reset = SystemError(errno: ECONNRESET, call: "recv")
  private static let pipe = SystemError(errno: EPIPE, call: "writev")

  private func cause(
    _ failure: PeerFailure, hasBegun: Bool = false, sendError: SystemError? = nil
  ) -> String {
    switch failure.cause(hasBegun: hasBegun, sendError: sendError) {
    case .network(let error): "network \(error.call)"
    case .noResponse: "no response"
    case .truncated: "truncated"
    case .malformed: "malformed"
    case .securePort: "secure port"
    default: "another"
    }
  }

  @Test func theEndOfTheConnection() {
    let closed = PeerFailure.closed(HTTP1Error(.unsolicitedResponse, offset: 0))
    #expect(cause(closed) == "no response")
    #expect(cause(closed, sendError: Self.pipe) == "network writev")
    #expect(cause(closed, hasBegun: true, sendError: Self.pipe) == "truncated")
    #expect(closed.mayBeStaleness(hasBegun: false) && !closed.mayBeStaleness(hasBegun: true))
  }

  @Test func theFirstErrorCounts() {
    let broken = PeerFailure.channel(.network(Self.reset))
    #expect(cause(broken) == "network recv")
    #expect(cause(broken, sendError: Self.pipe) == "network writev")
    #expect(broken.mayBeStaleness(hasBegun: true))
  }

  @Test func whatIsNoAnswer() {
    let early = PeerFailure.malformed(HTTP1Error(.unsolicitedResponse, offset: 0), isAlert: false)
    #expect(cause(early) == "malformed")
    #expect(early.isUnsolicited && early.mayBeStaleness(hasBegun: false))
    // Directly behind an interim response, the final one has begun.
    #expect(early.phase(in: .waiting) == .receivingHead)
    #expect(early.phase(in: .receivingBody) == .receivingBody)
    let alert = PeerFailure.malformed(HTTP1Error(.invalidStatusLine, offset: 0), isAlert: true)
    #expect(cause(alert) == "secure port")
    #expect(!alert.mayBeStaleness(hasBegun: false))
  }
}
