// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache

/// Heads as bytes.
@Suite struct StoredResponseCodingTests {
  @Test func whatAHeadSaysIsReadAgain() throws {
    var plain = try StoredSamples.response(fields: [])
    for response in [plain, try StoredSamples.everything()] {
      let read = try StoredResponse(encoded: try response.encoded())
      #expect(StoredSamples.facts(read) == StoredSamples.facts(response))
      #expect(read.fieldBlock.contains(.setCookie) == response.fieldBlock.contains(.setCookie))
    }
    plain.part = .init(offset: 3, completeLength: nil)
    #expect(try StoredResponse(encoded: try plain.encoded()).part == plain.part)
  }

  @Test func aChangeOfAnyBitIsFound() throws {
    let bytes = Array(try StoredSamples.everything().encoded())
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(throws: ResponseStoreError.self) { try StoredResponse(encoded: Data(changed)) }
      }
    }
  }

  @Test func whatIsCutOrGoesOnIsNone() throws {
    let bytes = try StoredSamples.everything().encoded()
    for count in 0..<bytes.count {
      #expect(throws: ResponseStoreError.self) { try StoredResponse(encoded: bytes.prefix(count)) }
    }
    #expect(throws: ResponseStoreError.self) { try StoredResponse(encoded: bytes + [0]) }
    #expect(throws: ResponseStoreError.self) { try StoredResponse(encoded: bytes + bytes) }
  }

  /// What has a right checksum can still come from anybody.
  @Test func anythingWithARightChecksumIsReadOrRefused() throws {
    var random = SeededGenerator(seed: 11)
    let bytes = Array(try StoredSamples.everything().encoded()).dropLast(8)
    for _ in 0..<20_000 {
      var changed = Array(bytes)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      var writer = FormatWriter()
      writer.add(changed)
      writer.addChecksum(seed: 0x6865_6164)
      guard let read = try? StoredResponse(encoded: Data(writer.bytes)) else { continue }
      // What is read can be written again.
      let again = try StoredResponse(encoded: try read.encoded())
      #expect(StoredSamples.facts(again) == StoredSamples.facts(read))
    }
  }

  @Test func whatNoServerSaysIsNotWritten() throws {
    func expectRefusal(_ change: (inout StoredResponse) -> Void) throws {
      var response = try StoredSamples.response()
      change(&response)
      let error = #expect(throws: ResponseStoreError.self) { try response.encoded() }
      guard case .unsuitable? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    try expectRefusal { $0.status = 1000 }
    try expectRefusal { $0.status = -1 }
    try expectRefusal { $0.minorVersion = 10 }
    try expectRefusal { $0.reason = "a\nb" }
    try expectRefusal { $0.requestTime = Date(timeIntervalSince1970: .infinity) }
    try expectRefusal { $0.responseTime = Date(timeIntervalSince1970: .nan) }
    try expectRefusal { $0.bodyLength = -1 }
    try expectRefusal { $0.part = .init(offset: .max, completeLength: nil) }
    try expectRefusal { $0.fields = [.init(name: "a b", value: "")] }
    try expectRefusal { $0.fields = [.init(name: "", value: "")] }
    try expectRefusal { $0.fields = [.init(name: "a", value: "b\r\nc: d")] }
    var large = try StoredSamples.response()
    large.fields = [.init(name: "a", value: String(repeating: "x", count: 1 << 20))]
    #expect(throws: ResponseStoreError.tooLarge(limit: 1 << 20)) { try large.encoded() }
  }

  @Test func everyResponseHasANumberOfItsOwn() {
    #expect(Set((0..<100_000).map { _ in StoredResponse.newID() }).count == 100_000)
  }
}
