import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct UploadRequestTests {
  private struct Count: Decodable {
    let bytes: Int
  }

  private let session = Session(configuration: .ephemeral)

  private func temporaryFile() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("bluebonnet-\(UUID().uuidString)")
  }

  @Test func fromMemory() async throws {
    let origin = try Origin.start()
    let body = Data(repeating: 7, count: 300_000)
    let request = session.upload(body, to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == body.count)
    #expect(request.uploadProgress.fractionCompleted == 1)
  }

  @Test func fromAFileThatStays() async throws {
    let origin = try Origin.start()
    let file = temporaryFile()
    try Data(repeating: 7, count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = session.upload(file, to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == 100_000)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func fromAStream() async throws {
    let origin = try Origin.start()
    let request = session.upload(
      InputStream(data: Data(repeating: 7, count: 50_000)), to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == 50_000)
    #expect(request.inputStream() == nil, "A stream is handed over once.")
  }

  @Test(arguments: [MultipartFormData.encodingMemoryThreshold, 0])
  func fromAForm(threshold: UInt64) async throws {
    let origin = try Origin.start()
    let request = session.upload(
      multipartFormData: {
        $0.append(Data("one".utf8), withName: "first")
        $0.append(Data("two".utf8), withName: "second")
      }, to: origin.baseURL + "/post", usingThreshold: threshold)
    let text = try await request.serializingString().value
    #expect(text.contains("one") && text.contains("two"))
    switch request.uploadable {
    case .data: #expect(threshold > 0)
    case .stream: #expect(threshold == 0, "A form above the threshold is encoded while it is sent.")
    case .file, nil: Issue.record("Nothing is written to a file.")
    }
    let sent = try #require(origin.requests.last)
    #expect(sent.value("Content-Length") == "\(sent.bodyLength)")
  }

  @Test func aBodyThatCannotBeMadeFailsTheRequest() async throws {
    let origin = try Origin.start()
    let form = MultipartFormData()
    form.append(URL(fileURLWithPath: "/nowhere/at/all"), withName: "file")
    let response = await session.upload(multipartFormData: form, to: origin.baseURL + "/post")
      .serializingData().response
    #expect(response.error?.isMultipartEncodingError == true)
    #expect(origin.requests.isEmpty)
  }
}
