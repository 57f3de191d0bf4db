// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ResponseTests {
  private func data(_ result: Result<Int, Mishap>) -> DataResponse<Int, Mishap> {
    var request = Given(method: .post).request
    request?.headers = ["Content-Type": "text/plain"]
    request?.httpBody = Data("sent".utf8)
    return DataResponse(
      request: request, response: Given(contentType: "application/json").response, data: Data("{}".utf8),
      metrics: nil, serializationDuration: 0.5, result: result)
  }

  private func download(_ result: Result<Int, Mishap>) -> DownloadResponse<Int, Mishap> {
    DownloadResponse(
      request: Given().request, response: Given().response, fileURL: URL(fileURLWithPath: "/file"),
      resumeData: Data([1]), metrics: nil, serializationDuration: 0.5, result: result)
  }

  @Test func dataTransforms() {
    let success = data(.success(1))
    let failure = data(.failure(Mishap()))
    #expect(success.value == 1)
    #expect(success.error == nil)
    #expect(failure.error == Mishap())
    #expect(success.map { "\($0)" }.value == "1")
    #expect(success.tryMap { $0 + 1 }.value == 2)
    #expect(success.tryMap { _ -> Int in throw Mishap(number: 4) }.error as? Mishap == Mishap(number: 4))
    #expect(failure.map { "\($0)" }.error == Mishap())
    #expect(failure.mapError { _ in AFError.explicitlyCancelled }.error?.isExplicitlyCancelledError == true)
    #expect(failure.tryMapError { _ in Mishap(number: 5) }.error as? Mishap == Mishap(number: 5))
    let mapped = success.map { $0 }
    #expect(mapped.request == success.request)
    #expect(mapped.response == success.response)
    #expect(mapped.data == success.data)
    #expect(mapped.serializationDuration == 0.5)
  }

  @Test func downloadTransforms() {
    let success = download(.success(1))
    let failure = download(.failure(Mishap()))
    #expect(success.map { "\($0)" }.value == "1")
    #expect(success.tryMap { _ -> Int in throw Mishap(number: 4) }.error as? Mishap == Mishap(number: 4))
    #expect(failure.mapError { Mishap(number: $0.number + 1) }.error == Mishap(number: 2))
    #expect(
      failure.tryMapError { _ -> Mishap in throw Mishap(number: 6) }.error as? Mishap == Mishap(number: 6))
    let mapped = success.map { $0 }
    #expect(mapped.fileURL?.path == "/file")
    #expect(mapped.resumeData == Data([1]))
  }

  @Test func descriptions() {
    let response = data(.success(1))
    #expect(response.description == "success(1)")
    for part in [
      "[Request]: POST https://example.org/", "    sent", "[Response]: status 200",
      "    Content-Type: application/json", "    {}", "[Network time]: unknown",
      "[Serialization time]: 0.5 s", "[Result]: success(1)",
    ] {
      #expect(response.debugDescription.contains(part), "\(part)")
    }
    let file = download(.failure(Mishap()))
    #expect(file.debugDescription.contains("[File]: /file"))
    #expect(file.debugDescription.contains("[Resume data]: 1 bytes"))
    let nothing = DataResponse<Int, Mishap>(
      request: nil, response: nil, data: nil, metrics: nil, serializationDuration: 0, result: .success(1))
    #expect(nothing.debugDescription == "[Request]: none\n[Result]: success(1)")
  }

  @Test func bodiesInDescriptions() {
    let text: HTTPHeaders = ["Content-Type": "text/html"]
    #expect(ResponseText.describe(nil, headers: text) == "none")
    #expect(ResponseText.describe(Data([0xFF]), headers: [:]) == "1 bytes")
    #expect(ResponseText.describe(Data("a\nb".utf8), headers: text) == "\n    a\n    b")
    let large = Data(repeating: 0x61, count: ResponseText.longestBody + 1)
    #expect(ResponseText.describe(large, headers: text) == "100001 bytes")
  }
}
