import BluebonnetTLS
import BluebonnetTransport
import Testing

@testable import BluebonnetURLLoading

/// What becomes of the transport's errors in the loading system's words.
@Suite struct TransportFailureTests {
  @Test(
    arguments: [
      (.clientCertificateRequired, .clientCertificateRequired), (.notTLS, .secureConnectionFailed),
      (.alert(40), .secureConnectionFailed), (.handshakeFailed, .secureConnectionFailed),
    ] as [(TLSError.Code, URLError.Code)])
  func aTLSError(code: TLSError.Code, expected: URLError.Code) {
    let error = TransportError(.tls(TLSError(code, reason: "it says so")), during: .handshake)
    let found = URLError.transport(error, of: FailedExchange())
    #expect(found.code == expected)
    #expect(found.transportFailure?.cause == .tls)
    #expect(found.transportFailure?.description.contains("it says so") == true)
  }
}
