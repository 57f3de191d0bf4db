// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a download list writes down, and what it makes of what others have written.
@Suite struct DownloadRecordTests {
  private func record() throws -> DownloadRecord {
    var request = URLRequest(url: try #require(URL(string: "https://host.test/a?b=c")))
    request.setValue("t\"ä\"", forHTTPHeaderField: "X-Name")
    var record = try DownloadRecord(request, named: "größe 1.bin", order: 3)
    record.sha256 = String(repeating: "0a", count: 32)
    record.part = .init(entityTag: "\"v1\"", total: 10, synced: 5, boot: "x")
    return record
  }

  @Test func isReadAsItWasWritten() throws {
    let record = try record()
    #expect(try DownloadRecord(bytes: try record.bytes(), of: "f") == record)
    #expect(record.request?.value(forHTTPHeaderField: "X-Name") == "t\"ä\"")
  }

  @Test(arguments: 1...5) func isRefusedWhereverItIsChanged(seed: UInt64) throws {
    let bytes = try record().bytes()
    var random = SeededGenerator(seed: seed)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= UInt8.random(in: 1...255, using: &random)
      #expect(throws: DownloadListError.self) { try DownloadRecord(bytes: changed, of: "f") }
      #expect(throws: DownloadListError.self) { try DownloadRecord(bytes: Array(bytes[..<index]), of: "f") }
    }
  }

  @Test(arguments: [
    ("\"entityTag\":\"\\\"v1\\\"\"", "\"entityTag\":\"W/\\\"v1\\\"\""),
    ("\"entityTag\":\"\\\"v1\\\"\"", "\"entityTag\":\"a\\r\\nb: c\""),
    ("\"entityTag\":\"\\\"v1\\\"\"", "\"lastModified\":\"yesterday\""),
    ("\"phase\":\"loading\"", "\"phase\":\"finishing\""), ("\"phase\":\"loading\"", "\"phase\":\"done\""),
    ("X-Name", "X Name"), ("X-Name", "Range"), ("https://host.test", "https://host.test\\n"),
    ("0a0a", "0a0A"), ("0a0a", "0a"), ("0a0a", "0a0x"),
    ("[[", "[[\"a\"],["), ("größe 1.bin", ""), ("größe 1.bin", "a\\u0000b"),
  ])
  func whatCannotBeTrueIsRefused(old: String, new: String) throws {
    let text = String(decoding: try record().bytes(), as: UTF8.self)
    let json = String(text.split(separator: "\n", maxSplits: 2)[2])
    let changed = json.replacing(old, with: new)
    try #require(changed != json, "\(old) is not in \(json)")
    let bytes = Array("bluebonnet download 1\n\(DownloadRecord.checksum(of: changed.utf8))\n\(changed)".utf8)
    #expect(throws: DownloadListError.self) { try DownloadRecord(bytes: bytes, of: "f") }
  }
}
