// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// A load's knowledge of a failed exchange, for the words of its error.
struct FailedExchange {
  var url: URL?
  var method: String?
  /// The head that came, if one did.
  var response: HTTPURLResponse?
  /// Bytes of the body as they came over the wire.
  var bodyBytes = 0
}

extension URLError {
  /// The error of an exchange, in the loading system's words; the details stay inside as a ``TransportFailure``.
  static func transport(_ error: TransportError, of exchange: FailedExchange) -> URLError {
    let failure = TransportFailure(error)
    return .loading(
      failure.code, url: exchange.url, method: exchange.method,
      phase: failure.phase, reason: error.reason(in: exchange), fault: failure.fault, cause: failure)
  }
}

extension TransportError {
  fileprivate func reason(in exchange: FailedExchange) -> String {
    switch cause {
    case .timedOut: seconds.map { patience($0.asSeconds) } ?? description
    case .cancelled: ""
    case .invalidHost(let reason):
      exchange.url?.host().map { "\"\($0)\" cannot be a host: \(reason)" } ?? description
    case .truncated where exchange.response != nil: "\(description) \(exchange.received)"
    default: description
    }
  }

  private func patience(_ time: String) -> String {
    switch phase {
    case .waitingForConnection: "there was none for \(time)" + (congestion.map { "; \($0)" } ?? "")
    case .evaluatingTrust: "the server's certificate was not evaluated within \(time)"
    case .sending where awaitedBody: "its body gave nothing for \(time)"
    case .sending: "nothing could be sent for \(time)"
    case .waiting, .receivingHead, .receivingBody, .exchangingMessages: "nothing came for \(time)"
    default: "it was not done in \(time)"
    }
  }
}

extension FailedExchange {
  fileprivate var received: String {
    let expected = response?.expectedContentLength ?? NSURLSessionTransferSizeUnknown
    return expected >= 0
      ? "after \(bodyBytes) of \(expected) bytes" : "after \(bodyBytes) bytes, before the end of the body"
  }
}

extension LoadingPhase {
  init(_ error: TransportError) {
    self =
      switch error.cause {
      case .coding: .decoding
      // Found while the request is put on paper.
      case .invalidRequest: .preparing
      default: error.phase
      }
  }
}

extension Double {
  /// Seconds with their unit: `60 s`, `0.25 s`.
  package var asSeconds: String {
    let text = "\(self)"
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
  }
}
