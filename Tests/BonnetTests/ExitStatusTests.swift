import Bluebonnet
import Testing

@testable import bonnet

@Suite struct ExitStatusTests {
  @Test(arguments: [
    (TransportFailure.Cause.unresolvedHost, "looking up the host", false, 6),
    (.connectionRefused, "connecting", false, 7),
    (.network, "connecting", false, 7),
    (.invalidHost, "looking up the host", false, 3),
    (.tls, "securing the connection", false, 35),
    (.network, "securing the connection", false, 35),
    (.tls, "waiting for a connection", false, 77),
    (.untrustedCertificate, "securing the connection", false, 60),
    (.network, "sending the request", false, 55),
    (.noResponse, "waiting for the response", false, 52),
    (.network, "waiting for the response", false, 56),
    (.truncated, "receiving the response", false, 56),
    (.truncated, "receiving the response", true, 18),
    (.tls, "receiving the response", true, 56),
    (.malformedResponse, "receiving the response", false, 8),
    (.malformedResponse, "receiving the response", true, 56),
    (.contentCoding, "receiving the response", true, 61),
    (.decompressionLimit, "receiving the response", true, 63),
    (.timedOut, "connecting", false, 28),
    (.timedOut, "receiving the response", true, 28),
    (.requestBody, "sending the request", false, 26),
    (.invalidRequest, "sending the request", false, 3),
    (.cancelled, "connecting", false, 42),
  ])
  func failures(cause: TransportFailure.Cause, phase: String, hasHead: Bool, code: Int32) {
    #expect(bonnet.ExitStatus.status(of: cause, phase: phase, hasHead: hasHead).rawValue == code)
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
