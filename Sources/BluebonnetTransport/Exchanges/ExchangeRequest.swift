// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1

/// A request ready for the wire.
package struct ExchangeRequest: Sendable {
  package var route: Route
  /// The host was written with the root's dot, which the pool and the certificate do not know, but the resolver does.
  package var resolvesFromRoot = false
  package var kind: RequestKind
  /// The encoded head, to which the route has its own to add.
  package var encodedHead: RequestHeadBytes
  package var body: RequestBody
  /// RFC 9110 §10.1.1: the body waits for the server's 100.
  package var expectsContinue: Bool
  /// RFC 9112 §9.6: the head says that this is the last request on its connection.
  package var closesConnection = false
  /// The transfer codings that the response may have: those that the head offers with TE (RFC 9110 §10.1.4). They are undone on
  /// the way, unless they are to be left as they came.
  package var transferCodings = TransferCodings.chunked
  /// RFC 9110 §9.2.2: may be sent again without asking.
  package var isIdempotent: Bool
  /// It answers a challenge: its server has refused the same request a moment ago, and may have closed the connection behind that.
  package var answersChallenge = false
  /// Whether the head carries credentials for the proxy.
  package var statesProxyAuthorization = false
  package var timeouts: Timeouts
  /// The client wants to be told what goes out.
  package var tellsHead = false
  /// Undo the response's Content-Encoding on the way.
  package var decodesContent: Bool

  package init(
    route: Route, kind: RequestKind, head: [UInt8], body: RequestBody = .none,
    expectsContinue: Bool = false, isIdempotent: Bool, timeouts: Timeouts,
    decodesContent: Bool = true
  ) {
    self.route = route
    self.kind = kind
    encodedHead = RequestHeadBytes(head)
    self.body = body
    self.expectsContinue = expectsContinue
    self.isIdempotent = isIdempotent
    self.timeouts = timeouts
    self.decodesContent = decodesContent
  }
}

extension ExchangeRequest {
  /// The head as it is sent over the route, from the request line to the empty line.
  var head: [UInt8] {
    get { encodedHead.bytes(for: route) }
    set { encodedHead = RequestHeadBytes(newValue) }
  }
}
