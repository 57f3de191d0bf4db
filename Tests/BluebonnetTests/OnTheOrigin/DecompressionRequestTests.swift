// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

/// Which requests keep a body in memory, for the limit on its expansion.
@Suite struct DecompressionRequestTests {
  private static let size = 3 << 20

  let origin: Origin
  let session: Session

  init() throws {
    origin = Origin.inMemory()
    let body = try ContentEncoder.encode([UInt8](repeating: 0, count: Self.size), as: .gzip)
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
    origin.script("/bomb", ScriptedReply([.bytes(Array(head.utf8) + body), .close]))
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = nil
    configuration.decompressionLimitInMemory = .init(ratio: 100, ratioThreshold: 1 << 20)
    session = Session(configuration: configuration)
  }

  private func isRefused(_ error: AFError?) -> Bool {
    (error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum
  }

  @Test func dataAndUploadRequestsDo() async {
    let data = await session.request(origin.baseURL + "/bomb").serializingData().response
    #expect(isRefused(data.error))
    let upload = await session.upload(Data("x".utf8), to: origin.baseURL + "/bomb").serializingData().response
    #expect(isRefused(upload.error))
  }

  @Test func downloadsAndStreamsDoNot() async throws {
    let download = await session.download(origin.baseURL + "/bomb").serializingDownloadedFileURL().response
    #expect(try Data(contentsOf: #require(download.value)).count == Self.size)
    if let file = download.value { try FileManager.default.removeItem(at: file) }
    var streamed = 0
    let stream = session.streamRequest(origin.baseURL + "/bomb").streamTask().streamingData()
    for await part in stream {
      if case .stream(.success(let data)) = part.event { streamed += data.count }
    }
    #expect(streamed == Self.size)
  }
}
