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
    guard threshold == 0 else { return }
    guard case .file(let url, true) = request.uploadable else {
      Issue.record("A form above the threshold goes through a file.")
      return
    }
    await Eventually.expect("The file is removed.") { !FileManager.default.fileExists(atPath: url.path) }
  }

  @Test func aFormsFileIsForItsOwnerAlone() async throws {
    let origin = try Origin.start()
    origin.script("/stuck", ScriptedReply([.hang], at: .head))
    let request = session.upload(
      multipartFormData: { $0.append(Data("secret".utf8), withName: "first") },
      to: origin.baseURL + "/stuck", usingThreshold: 0
    ).resume()
    await Eventually.expect("There is a body.") { request.uploadable != nil }
    guard case .file(let url, true) = request.uploadable else {
      Issue.record("A form above the threshold goes through a file.")
      return
    }
    func mode(_ url: URL) throws -> Int? {
      let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
      return (mode as? Int) ?? (mode as? UInt).map { Int($0) }
    }
    #expect(try mode(url) == 0o600)
    #expect(try mode(url.deletingLastPathComponent()) == 0o700)
    request.cancel()
    _ = await request.serializingData().response
    await Eventually.expect("The file is removed.") { !FileManager.default.fileExists(atPath: url.path) }
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
