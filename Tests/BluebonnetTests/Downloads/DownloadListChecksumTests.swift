// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Checksums of a list's downloads: servers that send other bytes than they promise, and many files at once.
@Suite struct DownloadListChecksumTests {
  /// A message of FIPS 180-2, appendix B, and its digest.
  private static let body = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
  private static let digest = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private let origin = Origin.inMemory()
  private let scratch: ScratchDirectory
  private let directory: URL

  init() throws {
    scratch = try ScratchDirectory()
    directory = scratch.url.appendingPathComponent("list", isDirectory: true)
  }

  private func open() throws -> DownloadList {
    try DownloadList(directory: directory, session: Session(configuration: .patientInMemory))
  }

  private func get(_ path: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + path)))
  }

  private func contents(_ list: DownloadList, _ id: DownloadList.Entry.ID) async throws -> [UInt8] {
    [UInt8](try Data(contentsOf: try await list.file(of: id)))
  }

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory.appendingPathComponent("files").path)
    }
  }

  private var ranges: [String?] { origin.requests.map { $0.values("Range").first } }

  /// Serves the file, and the rest of it, as servers should.
  private func serve() {
    origin.script("/file")
    origin.handle("/file") { request in
      guard request.values("If-Range") == ["\"v1\""], let range = request.values("Range").first,
        let first = Int(range.dropFirst("bytes=".count).dropLast())
      else { return .response(fields: [("ETag", "\"v1\"")], body: Self.body) }
      return .response(
        status: 206,
        fields: [
          ("ETag", "\"v1\""), ("Content-Range", "bytes \(first)-\(Self.body.count - 1)/\(Self.body.count)"),
        ],
        body: Self.body[first...])
    }
  }

  // MARK: Servers that do not keep their word

  struct Lie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// One for each attempt, all of which fail.
    let replies: [ScriptedReply]
    /// Bytes that are kept for the next attempt; a rest of something else leaves none.
    var kept = 0
    /// The last attempt fails by the checksum, and not before.
    var isMismatch = true
  }

  private static func reply(_ head: String, _ body: some Sequence<UInt8>) -> ScriptedReply {
    ScriptedReply([.bytes(Array("HTTP/1.1 \(head)\r\nETag: \"v1\"\r\n\r\n".utf8) + body), .close])
  }

  private static let half = reply("200 OK\r\nContent-Length: 56", body[..<28])

  static let lies: [Lie] = [
    Lie(testDescription: "more", replies: [reply("200 OK\r\nContent-Length: 60", body + Array("more".utf8))]),
    Lie(
      testDescription: "more, in chunks",
      replies: [
        reply(
          "200 OK\r\nTransfer-Encoding: chunked",
          Array("38\r\n".utf8) + body + Array("\r\n4\r\nmore\r\n0\r\n\r\n".utf8))
      ]),
    Lie(testDescription: "less", replies: [half], kept: 28, isMismatch: false),
    Lie(
      testDescription: "less, and that is said to be all",
      replies: [reply("200 OK\r\nContent-Length: 28", body[..<28])]),
    Lie(
      testDescription: "less, up to the end of the connection",
      replies: [reply("200 OK\r\nConnection: close", body[..<28])]),
    Lie(testDescription: "nothing", replies: [reply("200 OK\r\nContent-Length: 0", [])]),
    Lie(testDescription: "others", replies: [reply("200 OK\r\nContent-Length: 56", body.reversed())]),
    Lie(
      testDescription: "another rest under the same tag",
      replies: [
        half,
        reply("206 Partial Content\r\nContent-Range: bytes 28-55/56\r\nContent-Length: 28", body[..<28]),
      ]),
    Lie(
      testDescription: "a longer rest than there was",
      replies: [
        half,
        reply(
          "206 Partial Content\r\nContent-Range: bytes 28-59/60\r\nContent-Length: 32",
          body[28...] + Array("more".utf8)),
      ], isMismatch: false),
  ]

  /// No file gets its name before it is the right one, and an honest server makes up for all of it.
  @Test(arguments: lies) func otherBytesThanWerePromised(lie: Lie) async throws {
    let list = try open()
    let id = try list.add(try get("/file"), named: "a", sha256: Self.digest)
    for (number, reply) in lie.replies.enumerated() {
      origin.script("/file", reply)
      list.resume(id)
      let error = await #expect(throws: (any Error).self) { try await list.file(of: id) }
      var mismatch: ChecksumMismatch?
      if case .responseValidationFailed(.customValidationFailed(let reason))? = error as? AFError {
        mismatch = reason as? ChecksumMismatch
      }
      let isLast = number == lie.replies.count - 1
      #expect((mismatch != nil) == (isLast && lie.isMismatch), "\(String(describing: error))")
      #expect(mismatch?.actual != Self.digest)
      #expect(try files.isEmpty)
    }
    #expect(list.entry(id)?.receivedBytes == Int64(lie.kept))
    serve()
    list.resume(id)
    #expect(try await contents(list, id) == Self.body)
    #expect(ranges.last == .some(lie.kept > 0 ? "bytes=\(lie.kept)-" : nil))
  }

  /// Bytes behind a response are not the file's.
  @Test func moreBehindTheResponse() async throws {
    origin.script("/file", Self.reply("200 OK\r\nContent-Length: 56", Self.body + Array("more".utf8)))
    let list = try open()
    let id = try list.add(try get("/file"), named: "a", sha256: Self.digest)
    list.resume(id)
    #expect(try await contents(list, id) == Self.body)
  }

  // MARK: Many at once

  /// All files are there before the first is read for its digest. Then some are removed, and some suspended.
  @Test func manyAtOnce() async throws {
    let texts: [(body: [UInt8], digest: String)] = [
      (Self.body, Self.digest), (Array("abc".utf8), Self.abc), ([], Self.nothing),
    ]
    origin.handle("/files/*") { request in
      let number = Int(request.path.dropFirst("/files/".count)) ?? 0
      return .response(fields: [("ETag", "\"\(number)\"")], body: texts[number % 3].body)
    }
    let list = try open()
    // One in seven is promised another digest.
    let ids = try (0..<70).map { number in
      try list.add(
        try get("/files/\(number)"), named: "\(number)",
        sha256: texts[(number + (number % 7 == 6 ? 1 : 0)) % 3].digest)
    }
    DownloadTransfer.digests.suspend()
    list.resume()
    await Eventually.expect("all have come") { [origin] in
      origin.requests.count == ids.count
        && ids.enumerated().allSatisfy { number, id in
          list.entry(id)?.receivedBytes == Int64(texts[number % 3].body.count)
        }
    }
    let named = Result { try files }
    let removed = Result { for number in 0..<70 where number % 7 == 2 { try list.remove(ids[number]) } }
    for number in 0..<70 where number % 7 == 4 { list.suspend(ids[number]) }
    DownloadTransfer.digests.resume()
    #expect(try named.get() == [])
    try removed.get()
    for number in 0..<70 {
      switch number % 7 {
      case 2: await #expect(throws: DownloadListError.unknownEntry) { try await list.file(of: ids[number]) }
      case 6:
        let error = await #expect(throws: AFError.self) { try await list.file(of: ids[number]) }
        #expect(error?.isResponseValidationError == true && list.entry(ids[number])?.receivedBytes == 0)
      case 4:
        await Eventually.expect("it rests") { list.entry(ids[number])?.isLoading == false }
        list.resume(ids[number])
        #expect(try await contents(list, ids[number]) == texts[number % 3].body)
      default: #expect(try await contents(list, ids[number]) == texts[number % 3].body)
      }
    }
    #expect(Set(try files) == Set((0..<70).filter { ![2, 6].contains($0 % 7) }.map(String.init)))
  }
}
