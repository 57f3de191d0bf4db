// SPDX-License-Identifier: MIT

/// A response that is framed by two spellings at once, with a body that fits a length of 5 or chunks.
package struct FramingVariant: Sendable, CustomStringConvertible {
  package enum Body: String, Sendable, CaseIterable {
    case counted = "hello"
    case chunked = "5\r\nhello\r\n0\r\n\r\n"
  }

  package let first: FramingSpelling
  package let second: FramingSpelling
  package let body: Body

  /// Every pair of spellings with each of the bodies.
  package static let all: [FramingVariant] = FramingSpelling.all.flatMap { first in
    FramingSpelling.all.flatMap { second in
      Body.allCases.map { FramingVariant(first: first, second: second, body: $0) }
    }
  }

  /// Whether all recipients agree on where the response ends, and that is behind its body: one plain framing field,
  /// which is the body's.
  package var isPlain: Bool {
    [first.kind, second.kind].filter { $0 != .neither } == [body == .counted ? .length : .chunked]
  }

  /// The response. With `hints` the first spelling stands in an interim response before it.
  package func response(status: Int = 200, hints: Bool = false, hasBody: Bool = true) -> [UInt8] {
    let head = "HTTP/1.1 \(status) OK\r\n"
    let start =
      hints ? "HTTP/1.1 103 Early Hints\r\n\(first.line)\r\n\r\n\(head)" : "\(head)\(first.line)\r\n"
    return Array("\(start)\(second.line)\r\n\r\n\(hasBody ? body.rawValue : "")".utf8)
  }

  package var description: String {
    "\(first.line.debugDescription), \(second.line.debugDescription), \(body)"
  }
}
