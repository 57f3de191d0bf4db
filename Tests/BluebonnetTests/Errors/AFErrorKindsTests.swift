// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

struct Mishap: Error, Equatable {
  var number = 1
}

/// One case of `AFError`, and the one of its booleans that is true for it.
struct KindRow: CustomTestStringConvertible, Sendable {
  var error: AFError
  var name: String?
  var underlying: Mishap?

  var testDescription: String { "\(error)" }

  static let url = URL(fileURLWithPath: "/nowhere")

  static let all: [KindRow] = [
    KindRow(error: .createUploadableFailed(error: Mishap()), name: "uploadable", underlying: Mishap()),
    KindRow(error: .createURLRequestFailed(error: Mishap()), name: "request", underlying: Mishap()),
    KindRow(
      error: .downloadedFileMoveFailed(error: Mishap(), source: url, destination: url), name: "move",
      underlying: Mishap()),
    KindRow(error: .explicitlyCancelled, name: "cancelled"),
    KindRow(error: .invalidURL(url: ""), name: "url"),
    KindRow(
      error: .multipartEncodingFailed(reason: .outputStreamWriteFailed(error: Mishap())), name: "multipart",
      underlying: Mishap()),
    KindRow(error: .parameterEncodingFailed(reason: .missingURL), name: "encoding"),
    KindRow(
      error: .parameterEncodingFailed(reason: .jsonEncodingFailed(error: Mishap())), name: "encoding",
      underlying: Mishap()),
    KindRow(error: .parameterEncoderFailed(reason: .missingRequiredComponent(.url)), name: "encoder"),
    KindRow(
      error: .parameterEncoderFailed(reason: .encoderFailed(error: Mishap())), name: "encoder",
      underlying: Mishap()),
    KindRow(error: .requestAdaptationFailed(error: Mishap()), name: "adaptation", underlying: Mishap()),
    KindRow(
      error: .requestRetryFailed(retryError: Mishap(number: 2), originalError: Mishap()), name: "retry",
      underlying: Mishap(number: 2)),
    KindRow(error: .responseValidationFailed(reason: .dataFileNil), name: "validation"),
    KindRow(
      error: .responseValidationFailed(reason: .customValidationFailed(error: Mishap())), name: "validation",
      underlying: Mishap()),
    KindRow(error: .responseSerializationFailed(reason: .inputFileNil), name: "serialization"),
    KindRow(
      error: .responseSerializationFailed(reason: .decodingFailed(error: Mishap())), name: "serialization",
      underlying: Mishap()),
    KindRow(error: .serverTrustEvaluationFailed(reason: .noPublicKeysFound), name: "trust"),
    KindRow(
      error: .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: Mishap())), name: "trust",
      underlying: Mishap()),
    KindRow(error: .sessionDeinitialized, name: "deinitialized"),
    KindRow(error: .sessionInvalidated(error: nil), name: "invalidated"),
    KindRow(error: .sessionInvalidated(error: Mishap()), name: "invalidated", underlying: Mishap()),
    KindRow(error: .sessionTaskFailed(error: Mishap()), name: "task", underlying: Mishap()),
    KindRow(error: .urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data()))),
  ]
}

@Suite struct AFErrorKindsTests {
  @Test(arguments: KindRow.all) func exactlyOneBooleanIsTrue(_ row: KindRow) {
    let answers: [(String, Bool)] = [
      ("uploadable", row.error.isCreateUploadableError),
      ("request", row.error.isCreateURLRequestError),
      ("move", row.error.isDownloadedFileMoveError),
      ("cancelled", row.error.isExplicitlyCancelledError),
      ("url", row.error.isInvalidURLError),
      ("multipart", row.error.isMultipartEncodingError),
      ("encoding", row.error.isParameterEncodingError),
      ("encoder", row.error.isParameterEncoderError),
      ("adaptation", row.error.isRequestAdaptationError),
      ("retry", row.error.isRequestRetryError),
      ("validation", row.error.isResponseValidationError),
      ("serialization", row.error.isResponseSerializationError),
      ("trust", row.error.isServerTrustEvaluationError),
      ("deinitialized", row.error.isSessionDeinitializedError),
      ("invalidated", row.error.isSessionInvalidatedError),
      ("task", row.error.isSessionTaskError),
    ]
    #expect(answers.filter(\.1).map(\.0) == [row.name].compactMap { $0 })
  }

  @Test(arguments: KindRow.all) func underlyingErrorIsWhatWasWrapped(_ row: KindRow) {
    #expect(row.error.underlyingError as? Mishap == row.underlying)
  }

  @Test(arguments: KindRow.all) func everyErrorHasASentence(_ row: KindRow) throws {
    let sentence = try #require(row.error.errorDescription)
    #expect(sentence.contains(" "))
    #expect((row.error as any Error).localizedDescription == sentence)
  }
}
