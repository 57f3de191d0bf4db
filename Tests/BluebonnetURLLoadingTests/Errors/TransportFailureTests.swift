// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport
import BluebonnetWebSocket
import Glibc
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
    let error = TransportError(.tls(TLSError(code, reason: "it says so")), during: .securing)
    let found = URLError.transport(error, of: FailedExchange())
    #expect(found.code == expected)
    #expect(found.transportFailure?.cause == .tls)
    #expect(found.transportFailure?.description.contains("it says so") == true)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let error: TransportError
    let cause: TransportFailure.Cause
    let code: URLError.Code
    let phase: LoadingPhase
    let fault: LoadingFault
    var testDescription: String { "\(error.cause), \(error.phase)" }

    init(
      _ cause: TransportError.Cause, _ during: LoadingPhase, _ kind: TransportFailure.Cause,
      _ code: URLError.Code,
      _ fault: LoadingFault, told: LoadingPhase? = nil, isOfProxy: Bool = false
    ) {
      error = TransportError(cause, during: during, isOfProxy: isOfProxy)
      self.cause = kind
      self.code = code
      phase = told ?? during
      self.fault = fault
    }
  }

  private static func system(_ number: Int32) -> SystemError { SystemError(errno: number, call: "test") }

  private static func tls(_ code: TLSError.Code) -> TransportError.Cause {
    .tls(TLSError(code, reason: "test"))
  }

  private static func lookup(_ code: Int32, _ errno: Int32 = 0) -> TransportError.Cause {
    .unresolvedHost(LookupFailure(host: "a.test", code: code, errno: errno))
  }

  private static let rule = HTTP1Error(.invalidStatusLine, offset: 0)

  /// Every cause, in the phases that it has.
  static let rows: [Row] = [
    Row(.invalidHost(.empty), .resolving, .invalidHost, .cannotFindHost, .caller),
    Row(lookup(EAI_NONAME), .resolving, .unresolvedHost, .cannotFindHost, .network),
    Row(lookup(EAI_SYSTEM, EMFILE), .resolving, .unresolvedHost, .cannotFindHost, .local),
    Row(
      .unconnected(.failed(system(ECONNREFUSED), address: nil)), .connecting, .connectionRefused,
      .cannotConnectToHost, .server),
    Row(
      .unconnected(.failed(system(EHOSTUNREACH), address: nil)), .connecting, .network, .cannotConnectToHost,
      .network),
    Row(
      .unconnected(.failed(system(ENETUNREACH), address: nil)), .connecting, .network,
      .notConnectedToInternet,
      .network),
    Row(
      .unconnected(.failed(system(EMFILE), address: nil)), .connecting, .network, .cannotConnectToHost, .local
    ),
    Row(.network(system(ECONNRESET)), .sending, .network, .networkConnectionLost, .network),
    Row(.network(system(ECONNRESET)), .receivingBody, .network, .networkConnectionLost, .network),
    Row(tls(.handshakeFailed), .securing, .tls, .secureConnectionFailed, .server),
    Row(tls(.notTLS), .securing, .tls, .secureConnectionFailed, .server),
    Row(tls(.alert(80)), .waiting, .tls, .secureConnectionFailed, .server),
    Row(tls(.protocolViolation), .receivingBody, .tls, .secureConnectionFailed, .server),
    Row(tls(.truncated), .receivingBody, .tls, .secureConnectionFailed, .network),
    Row(tls(.clientCertificateRequired), .securing, .tls, .clientCertificateRequired, .caller),
    Row(tls(.invalidCertificate), .connecting, .tls, .secureConnectionFailed, .caller),
    Row(tls(.internalFailure), .securing, .tls, .secureConnectionFailed, .local),
    Row(.untrusted(nil), .securing, .untrustedCertificate, .serverCertificateUntrusted, .caller),
    Row(.noResponse, .waiting, .noResponse, .networkConnectionLost, .server),
    Row(.truncated(rule), .receivingHead, .truncated, .networkConnectionLost, .server),
    Row(.truncated(nil), .receivingBody, .truncated, .networkConnectionLost, .server),
    Row(.malformed(rule), .receivingHead, .malformedResponse, .cannotParseResponse, .server),
    Row(.securePort(rule), .receivingHead, .malformedResponse, .cannotParseResponse, .caller),
    Row(
      .coding(.unsupported("x")), .receivingBody, .contentCoding, .cannotDecodeContentData, .server,
      told: .decoding),
    Row(.timedOut, .waitingForConnection, .timedOut, .timedOut, .local),
    Row(.timedOut, .resolving, .timedOut, .timedOut, .network),
    Row(.timedOut, .connecting, .timedOut, .timedOut, .network),
    Row(.timedOut, .securing, .timedOut, .timedOut, .server),
    Row(.timedOut, .evaluatingTrust, .timedOut, .timedOut, .caller),
    Row(.timedOut, .sending, .timedOut, .timedOut, .server),
    Row(.timedOut, .waiting, .timedOut, .timedOut, .server),
    Row(.timedOut, .receivingHead, .timedOut, .timedOut, .server),
    Row(.timedOut, .receivingBody, .timedOut, .timedOut, .server),
    Row(.timedOut, .exchangingMessages, .timedOut, .timedOut, .server),
    Row(
      .webSocket(WebSocketError(.wrongAccept)), .receivingHead, .webSocket, .badServerResponse, .server),
    Row(
      .webSocket(WebSocketError(.reservedBit)), .exchangingMessages, .webSocket, .cannotParseResponse, .server
    ),
    Row(
      .webSocket(WebSocketError(.messageTooLong)), .exchangingMessages, .webSocket, .dataLengthExceedsMaximum,
      .server),
    Row(
      .webSocket(WebSocketError(.truncated)), .exchangingMessages, .webSocket, .networkConnectionLost, .server
    ),
    Row(
      .webSocket(WebSocketError(.invalidText, fault: .caller)), .exchangingMessages, .webSocket,
      .unsupportedURL,
      .caller),
    Row(
      .webSocket(WebSocketError(.outOfMemory, fault: .local)), .exchangingMessages, .webSocket, .unknown,
      .local),
    Row(
      .proxyRefused(status: 403, reason: "No"), .tunnelling, .proxyRefused, .cannotConnectToHost, .proxy,
      isOfProxy: true),
    Row(
      .proxyRefused(status: 407, reason: ""), .tunnelling, .proxyRefused, .userAuthenticationRequired,
      .caller,
      isOfProxy: true),
    Row(
      .proxyRefused(status: 504, reason: ""), .tunnelling, .proxyRefused, .cannotConnectToHost, .network,
      isOfProxy: true),
    Row(.socks(.refused5(2)), .tunnelling, .socks, .cannotConnectToHost, .proxy, isOfProxy: true),
    Row(.socks(.refused5(5)), .tunnelling, .socks, .cannotConnectToHost, .network, isOfProxy: true),
    Row(.socks(.wrongCredentials), .tunnelling, .socks, .cannotConnectToHost, .caller, isOfProxy: true),
    Row(.socks(.closed), .tunnelling, .socks, .cannotConnectToHost, .proxy, isOfProxy: true),
    Row(
      .authentication("test"), .tunnelling, .proxyAuthentication, .userAuthenticationRequired, .caller,
      isOfProxy: true),
    Row(
      .unconnected(.failed(system(ECONNREFUSED), address: nil)), .connecting, .connectionRefused,
      .cannotConnectToHost, .proxy, isOfProxy: true),
    Row(lookup(EAI_NONAME), .resolving, .unresolvedHost, .cannotFindHost, .network, isOfProxy: true),
    Row(tls(.notTLS), .securing, .tls, .secureConnectionFailed, .proxy, isOfProxy: true),
    Row(.noResponse, .tunnelling, .noResponse, .networkConnectionLost, .proxy, isOfProxy: true),
    Row(.malformed(rule), .tunnelling, .malformedResponse, .cannotParseResponse, .proxy, isOfProxy: true),
    Row(.timedOut, .tunnelling, .timedOut, .timedOut, .network, isOfProxy: true),
    Row(.cancelled, .connecting, .cancelled, .cancelled, .caller),
    Row(.bodySource("test"), .sending, .requestBody, .requestBodyStreamExhausted, .caller),
    Row(
      .invalidRequest(HTTP1Error(.invalidMethod, offset: 0, fault: .caller)), .sending, .invalidRequest,
      .badURL,
      .caller, told: .preparing),
  ]

  @Test(arguments: rows) func everyCauseHasItsFaultAndItsPhase(_ row: Row) {
    let error = URLError.transport(row.error, of: FailedExchange())
    #expect(error.code == row.code)
    #expect(error.transportFailure?.cause == row.cause)
    #expect(error.transportFailure?.phase == row.phase && error.loadingPhase == row.phase)
    #expect(error.transportFailure?.fault == row.fault && error.loadingFault == row.fault)
    #expect(error.transportFailure?.code == row.code)
    #expect(error.transportFailure?.isOfProxy == row.error.isOfProxy)
    if row.error.isOfProxy { #expect(error.localizedDescription.contains("proxy")) }
  }

  @Test func noCauseIsLeftOut() {
    let causes = Set(Self.rows.map(\.cause)).union([.decompressionLimit])
    #expect(causes == Set(TransportFailure.Cause.allCases))
  }
}
