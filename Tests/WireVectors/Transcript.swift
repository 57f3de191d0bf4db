// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Everything a parser said about one message, so that two ways of feeding it can be compared with `==`.
package struct Transcript: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package var name: [UInt8]
    package var value: [UInt8]

    package init(name: [UInt8], value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  package enum Verdict: Equatable, Sendable {
    case complete
    case incomplete
    case reject(HTTP1Error)
  }

  package var interim: [Int] = []
  package var method: String?
  package var target: String?
  package var status: Int?
  package var reason: String?
  package var minorVersion: Int?
  package var fields: [Field] = []
  package var trailers: [Field] = []
  package var body: [UInt8] = []
  package var hasHead = false
  package var keepsConnection = false
  package var isUpgraded = false
  package var contentLength: Int?
  /// What had to be repaired.
  package var repairs = Repairs()
  package var verdict = Verdict.incomplete
  /// Bytes taken from the input, unless it was refused.
  package var consumed = 0

  package init() {}

  package static func fields(of block: FieldBlock) -> [Field] {
    block.indices.map { index in
      Field(
        name: block.withName(at: index) { bytes in bytes.indices.map { bytes[$0] } },
        value: block.withValue(at: index) { bytes in bytes.indices.map { bytes[$0] } })
    }
  }
}
