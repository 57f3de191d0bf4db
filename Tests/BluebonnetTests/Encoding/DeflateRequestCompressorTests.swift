// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct DeflateRequestCompressorTests {
  private let body = Data(String(repeating: "all work and no play ", count: 500).utf8)

  private func request(_ headers: HTTPHeaders = [:]) throws -> URLRequest {
    var request = try URLRequest(url: "https://example.org/", method: .post, headers: headers)
    request.httpBody = body
    return request
  }

  @Test func bodiesShrinkAndComeBack() throws {
    let compressed = try DeflateRequestCompressor().compress(request())
    #expect(compressed.headers["Content-Encoding"] == "deflate")
    let bytes = try #require(compressed.httpBody)
    #expect(bytes.count < body.count / 10)
    // The zlib format: deflate in a 32 KiB window, and a header that is a multiple of 31.
    #expect(bytes[0] == 0x78)
    #expect((Int(bytes[0]) * 256 + Int(bytes[1])) % 31 == 0)

    let decoder = try ContentDecoder(codings: [.deflate], limit: .none)
    var decoded = Data()
    bytes.withUnsafeBytes { input in
      do {
        try decoder.decode(input) { decoded.append(contentsOf: $0) }
      } catch {
        Issue.record(error)
      }
    }
    try decoder.finish()
    #expect(decoded == body)
  }

  @Test func bodilessRequestsAreLeftAlone() throws {
    let plain = try URLRequest(url: "https://example.org/", method: .get)
    #expect(try DeflateRequestCompressor().compress(plain) == plain)
    #expect(
      try DeflateRequestCompressor(shouldCompressBodyData: { $0.count > 1_000_000 }).compress(request())
        == request())
  }

  @Test func duplicateFields() throws {
    let coded = try request(["content-encoding": "br"])
    #expect(throws: DeflateRequestCompressor.DuplicateHeaderError.self) {
      try DeflateRequestCompressor().compress(coded)
    }
    #expect(try DeflateRequestCompressor(duplicateHeaderBehavior: .skip).compress(coded) == coded)
    let replaced = try DeflateRequestCompressor(duplicateHeaderBehavior: .replace).compress(coded)
    #expect(replaced.headers["Content-Encoding"] == "deflate")
    #expect(replaced.headers.count == 1)
  }
}
