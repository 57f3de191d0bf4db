// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// What a vector is to a client that has made one request.
package enum ClientView: Sendable {
  /// An answer, with what the client is to make of it.
  case answer(ClientCase)
  /// A response that no request of a client's asks for, and why.
  case unaskable(reason: String)
  /// Nothing that a server sends.
  case notForClients

  package static let noTunnels = "CONNECT opens a tunnel, and no request of a session does"
}

/// The bytes of one vector as the answer to one request.
package struct ClientCase: Sendable {
  package let name: String
  /// The request's method.
  package let method: String
  package let bytes: [UInt8]
  private let vector: Vector

  fileprivate init(_ vector: Vector, method: String, bytes: [UInt8]) {
    name = vector.name
    self.method = method
    self.bytes = bytes
    self.vector = vector
  }

  /// What the parser makes of the first response if the connection ends behind the bytes or if it stays open.
  package func transcript(closed: Bool, mode: ParsingMode = .strict) -> Transcript {
    Subject.response(RequestKind(method: method)).transcript(bytes, eof: closed, mode: mode)
  }

  /// How the suite's own expectation relates to what a client saw; nil where it says nothing about that: the vector
  /// is lenient, ends in another way, or goes on behind the first response.
  ///
  /// Of a strict client, that is.
  ///
  /// - Parameter seen: What is visible to a client. The rest (reason, trailers) is taken from the parser.
  package func judge(_ seen: Transcript, closed: Bool) -> Judgement? {
    guard !vector.isLenient, (vector.eof ?? false) == closed, vector.kind == "response",
      vector.reach().messages.count == 1
    else { return nil }
    var merged = transcript(closed: closed)
    merged.hasHead = seen.hasHead
    merged.status = seen.status
    merged.minorVersion = seen.minorVersion
    merged.fields = seen.fields
    if seen.verdict == .complete { merged.body = seen.body }
    merged.verdict = seen.verdict
    return vector.judge(vector.reached([merged]))
  }
}

extension Vector {
  package var clientView: ClientView {
    switch kind {
    case "response":
      switch subject(0) {
      case .response(.head): return .answer(ClientCase(self, method: "HEAD", bytes: input))
      case .response(.ordinary): return .answer(ClientCase(self, method: "GET", bytes: input))
      default: return .unaskable(reason: ClientView.noTunnels)
      }
    case "chunked-body":
      let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      return .answer(ClientCase(self, method: "GET", bytes: Array(head.utf8) + input))
    default: return .notForClients
    }
  }
}
