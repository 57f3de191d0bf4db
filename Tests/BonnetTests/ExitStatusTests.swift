// SPDX-License-Identifier: MIT
import Bluebonnet
import Testing

@testable import bonnet

@Suite struct ExitStatusTests {
  @Test(
    arguments: [
      (TransportFailure.Cause.unresolvedHost, .resolving, false, 6),
      (.connectionRefused, .connecting, false, 7),
      (.network, .connecting, false, 7),
      (.invalidHost, .resolving, false, 3),
      (.tls, .securing, false, 35),
      (.network, .securing, false, 35),
      (.tls, .waitingForConnection, false, 77),
      (.untrustedCertificate, .securing, false, 60),
      (.network, .sending, false, 55),
      (.noResponse, .waiting, false, 52),
      (.network, .waiting, false, 56),
      (.truncated, .receivingHead, false, 56), (.truncated, .waiting, false, 52),
      (.truncated, .receivingBody, true, 18),
      (.tls, .receivingBody, true, 56),
      (.malformedResponse, .receivingHead, false, 8),
      (.malformedResponse, .receivingBody, true, 56),
      (.malformedResponse, .tunnelling, false, 56),
      (.contentCoding, .receivingBody, true, 61),
      (.decompressionLimit, .receivingBody, true, 63),
      (.timedOut, .connecting, false, 28),
      (.timedOut, .receivingBody, true, 28),
      (.requestBody, .sending, false, 26),
      (.invalidRequest, .sending, false, 3),
      (.cancelled, .connecting, false, 42),
    ] as [(TransportFailure.Cause, LoadingPhase, Bool, Int32)])
  func failures(cause: TransportFailure.Cause, phase: LoadingPhase, hasHead: Bool, code: Int32) {
    #expect(bonnet.ExitStatus.status(of: cause, phase: phase, hasHead: hasHead).rawValue == code)
  }

  @Test func headsThatAreTooLarge() {
    let statuses = [
      bonnet.ExitStatus.status(
        of: .malformedResponse, phase: .receivingHead, hasHead: false, rule: .headTooLong),
      bonnet.ExitStatus.status(
        of: .malformedResponse, phase: .receivingHead, hasHead: false, rule: .tooManyFields),
    ]
    #expect(statuses == [.receiveFailed, .receiveFailed])
  }

  /// What is no HTTP at all, as the greeting of another protocol, and what only begins as HTTP does.
  @Test func answersToCONNECT() {
    let statuses = [
      bonnet.ExitStatus.status(
        of: .malformedResponse, phase: .tunnelling, hasHead: false, rule: .invalidStatusLine),
      bonnet.ExitStatus.status(
        of: .malformedResponse, phase: .tunnelling, hasHead: false, rule: .invalidFieldName),
      bonnet.ExitStatus.status(
        of: .malformedResponse, phase: .tunnelling, hasHead: false, rule: .whitespaceBeforeFirstField),
    ]
    #expect(statuses == [.receiveFailed, .badArgument, .badArgument])
  }

  @Test(
    arguments: [
      (URLError.Code.badURL, 3), (.unsupportedURL, 1), (.httpTooManyRedirects, 47), (.timedOut, 28),
      (.cannotFindHost, 6), (.cannotConnectToHost, 7), (.serverCertificateUntrusted, 60),
      (.cannotDecodeContentData, 61), (.unknown, 56),
    ] as [(URLError.Code, Int32)])
  func codes(code: URLError.Code, status: Int32) {
    #expect(bonnet.ExitStatus.status(of: code).rawValue == status)
  }
}
