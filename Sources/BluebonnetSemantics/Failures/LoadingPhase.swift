// SPDX-License-Identifier: MIT

/// The phase that a load had reached. All layers, from the sockets to the API, speak of the same phases.
///
/// A load passes through them in this order, with the ones that it has no need of left out: a connection that is used again
/// is neither looked up nor secured. The raw value is what stands in error descriptions behind *while*; decide by the case.
public enum LoadingPhase: String, Sendable, Hashable, CaseIterable {
  /// The request was made ready to be sent; nothing has reached the network.
  case preparing = "preparing the request"
  /// As many requests were under way as the session lets go at once.
  case waitingForTurn = "waiting for its turn"
  /// All connections that the session may have were in use.
  case waitingForConnection = "waiting for a connection"
  /// The host's addresses were looked up.
  case resolving = "looking up the host"
  /// Addresses of the host were tried.
  case connecting = "connecting"
  /// A proxy was asked to let the connection through.
  case tunnelling = "asking the proxy"
  /// The TLS handshake was under way.
  case securing = "securing the connection"
  /// The delegate, or an evaluator, was deciding whether the server is trusted.
  case evaluatingTrust = "evaluating the server's certificate"
  /// The head or the body of the request was on its way.
  case sending = "sending the request"
  /// The request was sent, and no byte of a response had come.
  case waiting = "waiting for the response"
  /// The first bytes of the response were there, but not its whole head.
  case receivingHead = "receiving the response head"
  /// The head was there, but not the whole body.
  case receivingBody = "receiving the response body"
  /// The WebSocket was open.
  case exchangingMessages = "exchanging messages"
  /// Received bytes of the body were to be decoded (`Content-Encoding`).
  case decoding = "decoding the response body"
  /// The response sends the load elsewhere.
  case redirecting = "following a redirect"
  /// The body was written to a file.
  case storing = "writing the response body"
  /// The caller gave up.
  case cancelling = "being cancelled"

  /// The response has begun.
  package var isReceiving: Bool { self == .receivingHead || self == .receivingBody }
}

extension LoadingPhase {
  /// The party at fault if nothing happens for too long.
  package var faultOfSilence: LoadingFault {
    switch self {
    case .waitingForTurn, .waitingForConnection, .storing: .local
    case .resolving, .connecting, .tunnelling: .network
    case .preparing, .evaluatingTrust, .cancelling: .caller
    case .securing, .sending, .waiting, .receivingHead, .receivingBody, .exchangingMessages, .decoding,
      .redirecting:
      .server
    }
  }
}
