// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// Downloads that are cut off again and again, and gone on with, from servers that nobody here wrote.
@Suite struct ResumptionTests {
  static let servers = [RealServer.nginx, .apache].filter(\.isPresent)

  private func port(of server: RealServer) throws -> UInt16 {
    try #require(URL(string: server.url("/"))?.port.flatMap { UInt16(exactly: $0) })
  }

  private func file() -> DownloadRequest.Destination {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("resumption-\(UUID().uuidString)")
    return { _, _ in (url, [.removePreviousFile]) }
  }

  @Test(.enabled(if: !servers.isEmpty, "no server runs"), arguments: servers, [1, 2, 3] as [UInt64])
  func fiftyCutsAtRandomBytes(_ server: RealServer, seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    // Of 3,000,000 bytes; some fall into the head.
    let cuts = (0..<50).map { index in
      index % 10 == 0
        ? Int.random(in: 1...300, using: &generator) : Int.random(in: 300...60_000, using: &generator)
    }
    let proxy = try CuttingProxy(to: try port(of: server), cuts: cuts)
    let url = "http://127.0.0.1:\(proxy.port)/random.bin"
    let expected = try await Curl.body(of: try server.url("/random.bin"))
    #expect(expected.count == 3_000_000)
    let session = try Session.conformance()
    var data: Data?
    var offsets: [Int64] = []
    for _ in 0...60 {
      let request =
        data.map { session.download(resumingWith: $0, to: file()) } ?? session.download(url, to: file())
      let response = await request.validate().serializingData().response
      defer { if let url = response.fileURL { try? FileManager.default.removeItem(at: url) } }
      if let whole = response.value {
        #expect([UInt8](whole) == expected)
        #expect(response.response?.statusCode == 206)
        #expect(offsets == offsets.sorted() && Set(offsets).count > 40, "\(offsets)")
        #expect(proxy.connections >= 51)
        return
      }
      #expect(response.error?.isSessionTaskError == true)
      data = response.resumeData ?? data
      // None where the cut fell into the head.
      let offset = request.downloadProgress.completedUnitCount
      if offset > 0 { offsets.append(offset) }
    }
    Issue.record("It did not come to its end.")
  }

  /// All of it was there.
  @Test(.enabled(if: !servers.isEmpty, "no server runs"), arguments: servers)
  func aRangeBehindTheEndIsRefused(_ server: RealServer) async throws {
    let session = try Session.conformance()
    let response = await session.request(
      try server.url("/random.bin"), headers: ["Range": "bytes=3000000-"]
    ).serializingData().response
    #expect(response.response?.statusCode == 416)
    // Apache leaves out what it should say (RFC 9110 §15.5.17).
    let range = response.response?.headers.value(for: "Content-Range")
    #expect(range == (server == .nginx ? "bytes */3000000" : nil))
  }

  @Test(.enabled(if: RealServer.nginx.isPresent, "nginx does not run"))
  func aChangedFileStartsOver() async throws {
    let session = try Session.conformance()
    let path = "/stored/\(UUID().uuidString).bin"
    let proxy = try CuttingProxy(to: try port(of: .nginx), cuts: [50_000])
    let contents = (UInt8(1)...2).map { Data(repeating: $0, count: 100_000 + Int($0)) }
    func store(_ data: Data) async {
      let response = await session.upload(data, to: (try? RealServer.nginx.url(path)) ?? "", method: .put)
        .validate().serializingData(emptyResponseCodes: [201, 204]).response
      #expect(response.error == nil)
    }
    await store(contents[0])
    let broken = await session.download("http://127.0.0.1:\(proxy.port)" + path, to: file())
      .serializingData().response
    let data = try #require(broken.resumeData)
    await store(contents[1])
    let response = await session.download(resumingWith: data, to: file()).validate().serializingData()
      .response
    #expect(response.value == contents[1] && response.response?.statusCode == 200)
    if let url = response.fileURL { try FileManager.default.removeItem(at: url) }
    _ = await session.request(try RealServer.nginx.url(path), method: .delete)
      .serializingData(emptyResponseCodes: [204]).response
  }

  /// nginx weakens the tag of what it compresses, and refuses ranges of it.
  @Test(.enabled(if: RealServer.nginx.isPresent, "nginx does not run"))
  func whatIsCompressedOnTheFlyIsNotGoneOnWith() async throws {
    let session = try Session.conformance()
    let proxy = try CuttingProxy(to: try port(of: .nginx), cuts: [20_000])
    let response = await session.download("http://127.0.0.1:\(proxy.port)/gzip/text.txt", to: file())
      .serializingData().response
    #expect(response.error != nil && response.resumeData == nil)
  }
}
