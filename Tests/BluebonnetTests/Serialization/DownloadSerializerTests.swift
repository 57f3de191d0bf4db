// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct DownloadSerializerTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func serialize<S: DownloadResponseSerializerProtocol>(
    _ serializer: S, fileURL: URL?, error: (any Error)? = nil
  ) throws -> S.SerializedObject {
    try serializer.serializeDownload(
      request: Given().request, response: Given().response, fileURL: fileURL, error: error)
  }

  @Test func files() throws {
    let file = try scratch.file("a", #"{"name":"Ada"}"#)
    #expect(try serialize(.url, fileURL: file) == file)
    #expect(try serialize(DataResponseSerializer(), fileURL: file).count == 14)
    #expect(try serialize(StringResponseSerializer(), fileURL: file) == #"{"name":"Ada"}"#)
    #expect(try serialize(DecodableResponseSerializer<Person>(), fileURL: file) == Person(name: "Ada"))
  }

  @Test func failures() throws {
    func reason(_ fileURL: URL?) -> String {
      do {
        _ = try serialize(DataResponseSerializer(), fileURL: fileURL)
        return "none"
      } catch {
        guard case .responseSerializationFailed(let reason)? = error.asAFError else { return "\(error)" }
        return String("\(reason)".prefix { $0 != "(" })
      }
    }
    #expect(reason(nil) == "inputFileNil")
    #expect(reason(scratch.url.appendingPathComponent("missing")) == "inputFileReadFailed")
    #expect(reason(try scratch.file("empty", "")) == "inputDataNilOrZeroLength")
    #expect(throws: AFError.self) { try serialize(.url, fileURL: nil) }
    let file = try scratch.file("a", "a")
    #expect(throws: Mishap()) { try serialize(.url, fileURL: file, error: Mishap()) }
    #expect(throws: Mishap()) { try serialize(DataResponseSerializer(), fileURL: file, error: Mishap()) }
  }
}
