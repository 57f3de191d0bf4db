// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What becomes of a response's transfer codings: undone if the request has offered them, refused if not.
@Suite struct TransferCodingTests {
  private static let text = Array("line 1\n line 2\n  line 3\n".utf8)

  private let origin: Origin
  private let url: URL

  init() throws {
    origin = Origin.inMemory()
    url = try #require(URL(string: origin.baseURL + "/a"))
  }

  /// A response whose head has these field lines.
  private func script(_ fields: String, _ body: [UInt8], closes: Bool = false) {
    let head = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8)
    origin.script("/a", ScriptedReply([.bytes(head + body)] + (closes ? [.close] : [])))
  }

  private static func chunked(_ body: [UInt8]) -> [UInt8] {
    let half = body.count / 2
    return [Array(body[..<half]), Array(body[half...]), []].flatMap { piece in
      Array(String(piece.count, radix: 16).utf8) + [13, 10] + piece + [13, 10]
    }
  }

  private func load(
    offering codings: String? = "gzip", _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) async throws -> Data {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = nil
    change(configuration)
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: url)
    if let codings {
      request.setValue(codings, forHTTPHeaderField: "TE")
      request.setValue("TE", forHTTPHeaderField: "Connection")
    }
    return try await session.data(for: request).0
  }

  @Test(arguments: ["gzip", "deflate;q=0.5, trailers", "br, x-gzip ; q=1"])
  func whatWasOfferedIsUndone(offer: String) async throws {
    script("Transfer-Encoding: gzip, chunked", Self.chunked(try ContentEncoder.encode(Self.text, as: .gzip)))
    #expect(try await load(offering: offer) == Data(Self.text))
  }

  @Test func withoutChunksItEndsWithTheConnection() async throws {
    script("Transfer-Encoding: deflate", try ContentEncoder.encode(Self.text, as: .deflate), closes: true)
    #expect(try await load(offering: "deflate") == Data(Self.text))
  }

  @Test func theContentsOwnCodingIsUndoneBehindIt() async throws {
    let content = try ContentEncoder.encode(Self.text, as: .deflate)
    let body = Self.chunked(try ContentEncoder.encode(content, as: .gzip))
    script("Content-Encoding: deflate\r\nTransfer-Encoding: gzip, chunked", body)
    #expect(try await load() == Data(Self.text))
    #expect(try await load { $0.decodesResponseContent = false } == Data(content))
  }

  @Test(arguments: [nil, "trailers", "gzip;q=0", "br"])
  func whatWasNotOfferedIsRefused(offer: String?) async throws {
    script("Transfer-Encoding: gzip, chunked", Self.chunked(try ContentEncoder.encode(Self.text, as: .gzip)))
    let error = await #expect(throws: URLError.self) { try await load(offering: offer) }
    #expect(error?.code == .cannotParseResponse)
  }

  @Test func whatIsBrokenFails() async throws {
    script("Transfer-Encoding: gzip, chunked", Self.chunked(Self.text))
    let error = await #expect(throws: URLError.self) { try await load() }
    #expect(error?.code == .cannotDecodeContentData)
    script(
      "Transfer-Encoding: gzip, chunked",
      Self.chunked(try ContentEncoder.encode(Self.text, as: .gzip).dropLast(4)))
    await #expect(throws: URLError.self) { try await load() }
  }

  @Test func chunksMayStayAsTheyCame() async throws {
    let body = Self.chunked(try ContentEncoder.encode(Self.text, as: .gzip))
    script("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", body)
    #expect(try await load(offering: nil) { $0.decodesTransferCodings = false } == Data(body))
    #expect(try await load(offering: nil) == Data(Self.text))
  }

  @Test func aLoadIsCancelledInTheMiddle() async throws {
    let body = Self.chunked(try ContentEncoder.encode(Self.text, as: .gzip))
    script("Transfer-Encoding: gzip, chunked", Array(body.prefix(20)))
    let delegate = RecordingDelegate()
    var request = URLRequest(url: url)
    request.setValue("gzip", forHTTPHeaderField: "TE")
    let session = URLSession(configuration: .inMemory)
    let task = session.dataTask(with: request)
    task.delegate = delegate
    task.resume()
    await Eventually.expect("it is answered") { task.response != nil }
    task.cancel()
    await Eventually.expect("it is complete") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
  }
}
