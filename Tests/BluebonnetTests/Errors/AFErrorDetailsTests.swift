// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct AFErrorDetailsTests {
  @Test func castsFromAnyError() {
    let error: any Error = AFError.explicitlyCancelled
    #expect(error.asAFError?.isExplicitlyCancelledError == true)
    #expect(error.asAFError(orFailWith: "not ours").isExplicitlyCancelledError)
    let foreign: any Error = Mishap()
    #expect(foreign.asAFError == nil)
    #expect(foreign.asAFError(or: .sessionDeinitialized).isSessionDeinitializedError)
  }

  @Test func validationDetails() {
    let status = AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 418))
    #expect(status.responseCode == 418)
    #expect(status.acceptableContentTypes == nil)
    #expect(status.errorDescription?.contains("418") == true)

    let type = AFError.responseValidationFailed(
      reason: .unacceptableContentType(acceptableContentTypes: ["a/b"], responseContentType: "c/d"))
    #expect(type.responseCode == nil)
    #expect(type.acceptableContentTypes == ["a/b"])
    #expect(type.responseContentType == "c/d")

    let missing = AFError.responseValidationFailed(
      reason: .missingContentType(acceptableContentTypes: ["a/b"]))
    #expect(missing.acceptableContentTypes == ["a/b"])
    #expect(missing.responseContentType == nil)
  }

  @Test func otherDetails() {
    let source = URL(fileURLWithPath: "/a")
    let destination = URL(fileURLWithPath: "/b")
    let move = AFError.downloadedFileMoveFailed(error: Mishap(), source: source, destination: destination)
    #expect(move.sourceURL == source)
    #expect(move.destinationURL == destination)

    let text = AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf16))
    #expect(text.failedStringEncoding == .utf16)

    let url = AFError.invalidURL(url: "no url")
    #expect(url.urlConvertible as? String == "no url")
    #expect(url.url == nil)
  }

  @Test(arguments: [
    AFError.MultipartEncodingFailureReason.bodyPartURLInvalid(url: KindRow.url),
    .bodyPartFilenameInvalid(in: KindRow.url),
    .bodyPartFileNotReachable(at: KindRow.url),
    .bodyPartFileNotReachableWithError(atURL: KindRow.url, error: Mishap()),
    .bodyPartFileIsDirectory(at: KindRow.url),
    .bodyPartFileSizeNotAvailable(at: KindRow.url),
    .bodyPartFileSizeQueryFailedWithError(forURL: KindRow.url, error: Mishap()),
    .bodyPartInputStreamCreationFailed(for: KindRow.url),
    .outputStreamCreationFailed(for: KindRow.url),
    .outputStreamFileAlreadyExists(at: KindRow.url),
    .outputStreamURLInvalid(url: KindRow.url),
  ])
  func multipartReasonsNameTheirURL(_ reason: AFError.MultipartEncodingFailureReason) {
    let error = AFError.multipartEncodingFailed(reason: reason)
    #expect(error.url == KindRow.url)
    #expect(error.errorDescription?.contains("/nowhere") == true)
  }
}
