import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

/// What a load knows about an exchange that failed, for the words of its error.
struct FailedExchange {
  var url: URL?
  var method: String?
  /// The head that came, if one did.
  var response: HTTPURLResponse?
  /// Bytes of the body as they came over the wire.
  var bodyBytes = 0
}

extension URLError {
  /// What became of an exchange, in the loading system's words; the details stay inside as a ``TransportFailure``.
  static func transport(_ error: TransportError, of exchange: FailedExchange) -> URLError {
    let failure = TransportFailure(error)
    return .loading(
      failure.code, url: exchange.url, method: exchange.method,
      phase: LoadingPhase(error), reason: error.reason(in: exchange),
      cause: failure)
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
    case .lookup, .connect, .handshake: "it was not done in \(time)"
    case .judgement: "the server's certificate was not judged in \(time)"
    case .sending: "nothing could be sent for \(time)"
    case .firstByte, .receivingHead, .receivingBody: "nothing came for \(time)"
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
      default: LoadingPhase(error.phase)
      }
  }

  init(_ phase: TransportError.Phase) {
    self =
      switch phase {
      case .waitingForConnection: .waitingForConnection
      case .connect: .connecting
      case .lookup: .resolving
      case .handshake, .judgement: .securing
      case .sending: .sending
      case .firstByte: .waiting
      case .receivingHead: .receivingHead
      case .receivingBody: .receivingBody
      }
  }
}

extension Double {
  /// Seconds with their unit: `60 s`, `0.25 s`.
  var asSeconds: String {
    let text = "\(self)"
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
  }
}
