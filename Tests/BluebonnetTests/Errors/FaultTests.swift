// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Whose fault every error of the API is.
@Suite struct FaultTests {
  private struct Mishap: Error {}

  private static let file = URL(fileURLWithPath: "/nowhere")
  private static let load = URLError.loading(
    .timedOut, url: nil, phase: .connecting, reason: "it was not done in time")
  private static let refused = URLError.loading(
    .badURL, url: nil, phase: .preparing, reason: "it has no host")

  static let rows: [(AFError, LoadingFault?, LoadingPhase?)] = [
    (.explicitlyCancelled, .caller, nil), (.sessionDeinitialized, .caller, nil),
    (.invalidURL(url: ""), .caller, nil),
    (.urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data())), .caller, nil),
    (.multipartEncodingFailed(reason: .bodyPartURLInvalid(url: file)), .caller, nil),
    (.parameterEncodingFailed(reason: .missingURL), .caller, nil),
    (.parameterEncoderFailed(reason: .missingRequiredComponent(.url)), .caller, nil),
    (.createUploadableFailed(error: Mishap()), .caller, nil),
    (.createURLRequestFailed(error: Mishap()), .caller, nil),
    (.createURLRequestFailed(error: refused), .caller, .preparing),
    (.requestAdaptationFailed(error: Mishap()), .caller, nil),
    (.requestAdaptationFailed(error: load), .network, .connecting),
    (.downloadedFileMoveFailed(error: Mishap(), source: file, destination: file), .local, nil),
    (.sessionTaskFailed(error: load), .network, .connecting), (.sessionTaskFailed(error: Mishap()), nil, nil),
    (.sessionTaskFailed(error: URLError(.timedOut)), nil, nil),
    (.sessionInvalidated(error: nil), .caller, nil),
    (.sessionInvalidated(error: load), .network, .connecting),
    (.requestRetryFailed(retryError: Mishap(), originalError: load), .network, .connecting),
    (
      .requestRetryFailed(retryError: refused, originalError: AFError.sessionTaskFailed(error: load)),
      .network,
      .connecting
    ),
    (.requestRetryFailed(retryError: load, originalError: Mishap()), nil, nil),
    (.responseValidationFailed(reason: .dataFileNil), .local, nil),
    (.responseValidationFailed(reason: .dataFileReadFailed(at: file)), .local, nil),
    (.responseValidationFailed(reason: .missingContentType(acceptableContentTypes: [])), .server, nil),
    (
      .responseValidationFailed(
        reason: .unacceptableContentType(acceptableContentTypes: [], responseContentType: "a/b")),
      .server, nil
    ),
    (.responseValidationFailed(reason: .unacceptableStatusCode(code: 399)), .server, nil),
    (.responseValidationFailed(reason: .unacceptableStatusCode(code: 400)), .caller, nil),
    (.responseValidationFailed(reason: .unacceptableStatusCode(code: 499)), .caller, nil),
    (.responseValidationFailed(reason: .unacceptableStatusCode(code: 500)), .server, nil),
    (.responseValidationFailed(reason: .customValidationFailed(error: Mishap())), nil, nil),
    (.responseSerializationFailed(reason: .inputDataNilOrZeroLength), .server, nil),
    (.responseSerializationFailed(reason: .inputFileNil), .local, nil),
    (.responseSerializationFailed(reason: .inputFileReadFailed(at: file)), .local, nil),
    (.responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf8)), .server, nil),
    (.responseSerializationFailed(reason: .jsonSerializationFailed(error: Mishap())), .server, nil),
    (.responseSerializationFailed(reason: .decodingFailed(error: Mishap())), .server, nil),
    (.responseSerializationFailed(reason: .invalidEmptyResponse(type: "T")), .server, nil),
    (.responseSerializationFailed(reason: .customSerializationFailed(error: Mishap())), nil, nil),
    (.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: "a.test")), .caller, nil),
    (.serverTrustEvaluationFailed(reason: .noCertificatesFound), .caller, nil),
    (.serverTrustEvaluationFailed(reason: .noPublicKeysFound), .caller, nil),
    (.serverTrustEvaluationFailed(reason: .revocationPolicyCreationFailed), .local, nil),
    (
      .serverTrustEvaluationFailed(reason: .settingAnchorCertificatesFailed(status: 1, certificates: [])),
      .local, nil
    ),
    (.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil)), .server, nil),
    (.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: Mishap())), nil, nil),
  ]

  @Test(arguments: rows.indices) func everyErrorTellsWhoCouldMendIt(_ index: Int) {
    let (error, fault, phase) = Self.rows[index]
    #expect(error.loadingFault == fault, "\(error)")
    #expect(error.loadingPhase == phase, "\(error)")
  }
}
