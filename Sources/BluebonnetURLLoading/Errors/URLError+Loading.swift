import BluebonnetFoundation

extension URLError {
  /// The error of a load: which address, in which phase, for which reason.
  ///
  /// The description reads "<phase>: <reason>", so that a message in a log says where a load broke.
  package static func loading(
    _ code: URLError.Code, url: URL?, phase: LoadingPhase, reason: String, cause: (any Error)? = nil,
    more: [String: Any] = [:]
  ) -> URLError {
    var information = more
    information[NSLocalizedDescriptionKey] = "\(phase.rawValue): \(reason)"
    // A password in an address is no matter for logs.
    if let url = url?.withoutUserInformation {
      information[NSURLErrorFailingURLErrorKey] = url
      information["NSErrorFailingURLStringKey"] = url.absoluteString
    }
    if let cause { information[NSUnderlyingErrorKey] = cause }
    return URLError(code, userInfo: information)
  }

  /// A URL that cannot be loaded at all.
  package static func refusal(_ code: URLError.Code, _ url: URL, _ reason: String) -> URLError {
    loading(code, url: url, phase: .preparing, reason: reason)
  }
}

/// How far a load had come.
package enum LoadingPhase: String, Sendable, CaseIterable {
  case preparing = "preparing the request"
  case waitingForConnection = "waiting for a connection"
  case resolving = "looking up the host"
  case connecting = "connecting"
  case tunnelling = "asking the proxy"
  case securing = "TLS handshake"
  case sending = "sending the request"
  case waiting = "waiting for the response"
  case receivingHead = "receiving the response head"
  case receivingBody = "receiving the response body"
  case decoding = "decoding the response body"
  case redirecting = "following a redirect"
  case cancelling = "cancelled"
  case storing = "writing the response body"
}
