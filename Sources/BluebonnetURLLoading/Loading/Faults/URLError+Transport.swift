import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

extension URLError {
  /// What became of an exchange, in the loading system's words; the details stay inside as a ``TransportFailure``.
  static func transport(_ error: TransportError, url: URL?) -> URLError {
    let failure = TransportFailure(error)
    return .loading(
      failure.code, url: url, phase: LoadingPhase(error.phase), reason: error.description, cause: failure)
  }
}

extension LoadingPhase {
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
