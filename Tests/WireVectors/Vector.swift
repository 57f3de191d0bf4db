// SPDX-License-Identifier: MIT
import Foundation

/// A file of cases in the neutral shape that `Fixtures/wire` uses.
package struct VectorFile: Decodable, Sendable {
  package let vectors: [Vector]

  package init(contentsOf url: URL) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
  }

  /// One of `Fixtures/wire`.
  package init(fixture name: String) throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    try self.init(contentsOf: package.appendingPathComponent("Fixtures/wire/\(name).json"))
  }
}

/// One case: bytes, the circumstances, and what its suite expects.
package struct Vector: Decodable, Sendable {
  package struct Context: Decodable, Sendable {
    let request_methods: [String]?
    let skip_body: Bool?
    let trailer_section: String?
  }

  package struct Message: Decodable, Sendable {
    let method: String?
    let target: String?
    let version: String?
    let status: Int?
    let reason: String?
    let headers: [[String]]?
    let trailers: [[String]]?
    let body_b64: String?
    let headers_complete: Bool?
    let complete: Bool?
    let keep_alive: Bool?
    let framing: String?
    let `protocol`: String?
  }

  package struct Expectation: Decodable, Sendable {
    // Wire cases.
    let outcome: String?
    let messages: [Message]?
    let upgrade: JSONPresence?
    // Cases judged by several clients.
    let status: Int?
    let body_length: Int?
    let body_sha1_prefix: String?
    // Content-Disposition.
    let type: String?
    let params: [String: String]?
    let filename: String?
    let invalid: Bool?
  }

  /// Says only that a key is there, whatever its value.
  package struct JSONPresence: Decodable, Sendable {
    package init(from decoder: any Decoder) throws {}
  }

  package let name: String
  let kind: String?
  let input_b64: String?
  let eof: Bool?
  let lenient: [String]?
  let method: String?
  let context: Context?
  let scope: String?
  let header: String?
  let expect: Expectation

  /// The suite the case comes from: what its name begins with.
  package var suite: String { String(name.prefix { $0 != ":" }) }
  var input: [UInt8] { Self.bytes(input_b64 ?? "") }
  var isHeadOnly: Bool { scope?.hasPrefix("head only") ?? false }
  var isLenient: Bool { !(lenient ?? []).isEmpty }

  static func bytes(_ base64: String) -> [UInt8] {
    Data(base64Encoded: base64).map(Array.init) ?? []
  }
}
