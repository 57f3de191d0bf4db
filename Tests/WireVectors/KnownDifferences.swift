// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A reason not to follow a suite's opinion. Each covers only what it names: a kind of message that was expected to
/// be one thing and, for the stated rule, is another here.
package struct KnownDifference: Sendable {
  package let name: String
  package let section: String
  package let reason: String
  let covers: @Sendable (Vector, Reached) -> Bool

  static let all: [KnownDifference] = syntax + framing + harness

  private static let syntax: [KnownDifference] = [
    KnownDifference(
      name: "bare LF", section: "RFC 9112 §2.2",
      reason: """
        a recipient MAY take LF alone as a line end; strict mode does not, because whoever does not sees other \
        lines than whoever does. Tolerant mode does in the heads of responses.
        """
    ) { $0.expects(.accept, .incomplete) && $1.rule == .bareLF },
    KnownDifference(
      name: "folded fields", section: "RFC 9112 §5.2",
      reason: """
        senders must not fold; a server may refuse it. A user agent is to replace folds by spaces: tolerant mode \
        does, strict mode refuses them, as nothing but an attack or a very old server sends them.
        """
    ) { $0.expects(.accept, .incomplete) && $1.rule == .foldedField },
    KnownDifference(
      name: "empty line before a status line", section: "RFC 9112 §2.2",
      reason: "only a server may skip one; before a response these bytes are the rest of something else"
    ) { $0.kind == "response" && $0.expects(.accept, .incomplete) && $1.rule == .emptyLineBeforeStatusLine },
    KnownDifference(
      name: "runs of spaces in a start line", section: "RFC 9112 §3, §4",
      reason: "the grammar has one space; a recipient MAY split at whitespace, which lenient mode does"
    ) {
      $0.suite == "picohttpparser" && $0.expects(.accept)
        && ($1.rule == .invalidStatusCode || $1.rule == .invalidTarget) && $0.input.hasDoubleSpace
    },
    KnownDifference(
      name: "bytes no URI has", section: "RFC 9112 §3.2",
      reason: "a request target is ASCII; a server SHOULD refuse an invalid one"
    ) {
      $0.suite == "picohttpparser" && $0.expects(.accept) && $1.rule == .invalidTarget
        && $0.input.contains { $0 > 0x7F }
    },
    KnownDifference(
      name: "targets in none of the four forms", section: "RFC 9112 §3.2",
      reason: "httparse takes any run of bytes as a target; its accepts are not binding"
    ) { $0.suite == "httparse" && $0.expects(.accept) && $1.rule == .invalidTarget },
    KnownDifference(
      name: "a reason with obs-text", section: "RFC 9112 §4",
      reason: "httparse hides such a reason; here it is kept, being what was sent"
    ) {
      $0.suite == "httparse" && $1.outcome == .accept
        && ($1.messages.first?.reason ?? "").utf8.contains { $0 > 0x7F }
    },
    KnownDifference(
      name: "other protocols", section: "RFC 9112 §2.3",
      reason: "RTSP, ICE and HTTP/0.9 are not HTTP/1.1"
    ) { vector, reached in
      let text = String(decoding: vector.input, as: UTF8.self)
      let named = vector.expect.messages?.contains { $0.protocol.map { $0 != "HTTP" } ?? false } ?? false
      let isOther = named || !text.prefix(while: { !$0.isNewline }).contains("HTTP/")
      return vector.suite == "llhttp" && isOther && reached.outcome == .reject
    },
    KnownDifference(
      name: "unknown methods", section: "RFC 9110 §9.1",
      reason: "any token is a method; whether it is known is the server's business, not the parser's"
    ) { vector, reached in
      vector.suite == "llhttp" && vector.expects(.reject) && reached.outcome == .accept
        && reached.messages.contains { !Vector.commonMethods.contains($0.method ?? "GET") }
    },
    KnownDifference(
      name: "PRI", section: "RFC 9113 §3.4",
      reason: "the preface of HTTP/2 says HTTP/2.0; with HTTP/1.1 PRI is a method like any other"
    ) { $0.suite == "llhttp" && $1.messages.first?.method == "PRI" },
  ]

  private static let framing: [KnownDifference] = [
    KnownDifference(
      name: "whitespace after a chunk size", section: "RFC 9112 §7.1.1",
      reason:
        "whitespace may stand before an extension, and several servers pad sizes with it; it moves nothing"
    ) { $0.suite == "llhttp" && $0.expects(.reject) && $1.outcome == .accept && $0.hasPaddedChunkSize },
    KnownDifference(
      name: "transfer codings other than chunked", section: "RFC 9112 §6.1, §6.3",
      reason: """
        a response with one may be read until close, but its body would reach the caller undecoded; nobody asked \
        for it with TE
        """
    ) {
      $0.kind == "response" && $0.expects(.incomplete, .accept) && $1.rule == .unsupportedTransferEncoding
    },
    KnownDifference(
      name: "101 with Transfer-Encoding", section: "RFC 9110 §15.2.2",
      reason: "what follows 101 belongs to the new protocol, whatever the fields say"
    ) { $0.suite == "llhttp" && $1.messages.last?.status == 101 && $1.outcome == .accept },
    KnownDifference(
      name: "2xx to CONNECT with Transfer-Encoding", section: "RFC 9112 §6.3 item 2",
      reason: "the tunnel begins behind the head; h11 leaves the message open instead of saying so"
    ) {
      $0.suite == "h11" && $0.context?.request_methods == ["CONNECT"] && $1.messages.last?.isUpgraded == true
    },
    KnownDifference(
      name: "CONNECT with Content-Length", section: "RFC 9112 §6.3 item 6",
      reason:
        "a request with Content-Length has that body, as h11 reads it; llhttp takes the bytes for the tunnel's"
    ) {
      $0.suite == "llhttp" && $1.messages.first?.method == "CONNECT"
        && $1.messages.first?.contentLength != nil
    },
  ]

  private static let harness: [KnownDifference] = [
    KnownDifference(
      name: "other limits", section: "RFC 9110 §5.4",
      reason: "each recipient sets its own; h11's head is limited to 16 KiB, ours to 128 KiB"
    ) { $0.suite == "h11" && $0.expects(.reject) && $1.outcome == .incomplete && $0.input.count > 16_384 },
    KnownDifference(
      name: "bytes before a request or after the end", section: "not about bytes",
      reason: "h11 judges what its connection did earlier, which the vector does not hold"
    ) { vector, _ in vector.suite == "h11" && vector.name.contains("test_close_simple") },
    KnownDifference(
      name: "skipping a request's body", section: "not about bytes",
      reason: "a switch of llhttp's interface; here a request's body is always read"
    ) { vector, _ in vector.suite == "llhttp" && vector.kind == "request" && vector.context?.skip_body == true
    },
    KnownDifference(
      name: "other leniencies", section: "RFC 9112 §2.2, §5.1, §5.2, §6.3, §7.1",
      reason: """
        llhttp has a switch for each; lenient mode here is one set, repairs only what the RFCs allow to be \
        repaired, and closes the connection after it
        """
    ) { vector, _ in vector.isLenient },
  ]
}

extension Vector {
  func expects(_ outcomes: Reached.Outcome...) -> Bool {
    outcomes.contains { $0.rawValue == expect.outcome }
  }

  /// A chunk size with whitespace and a line end behind it.
  var hasPaddedChunkSize: Bool {
    let text = String(decoding: input, as: UTF8.self)
    return text.contains(/[\r\n][0-9A-Fa-f]+[ \t]+\r\n/)
  }

  /// The methods of RFC 9110 §9.3, PATCH and QUERY: refusing one of these would not be about methods.
  static let commonMethods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
  ]
}

extension [UInt8] {
  var hasDoubleSpace: Bool {
    zip(self, dropFirst()).contains { $0 == 0x20 && $1 == 0x20 }
  }
}
