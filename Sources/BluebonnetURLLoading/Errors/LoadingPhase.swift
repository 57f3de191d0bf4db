/// How far a load had come, as what it was doing.
package enum LoadingPhase: String, Sendable, CaseIterable {
  case preparing = "preparing the request"
  case waitingForConnection = "waiting for a connection"
  case resolving = "looking up the host"
  case connecting = "connecting"
  case tunnelling = "asking the proxy"
  case securing = "securing the connection"
  case sending = "sending the request"
  case waiting = "waiting for the response"
  case receivingHead = "receiving the response head"
  case receivingBody = "receiving the response body"
  case decoding = "decoding the response body"
  case redirecting = "following a redirect"
  case cancelling = "being cancelled"
  case storing = "writing the response body"
}
