import BluebonnetFoundation
import BluebonnetWebSocket

extension URLSessionConfiguration {
  /// The compression of WebSocket messages (permessage-deflate, RFC 7692), if the server agrees; with the default
  /// parameters by default, and `nil` for not at all.
  ///
  /// A connection takes some 300 KiB for it, from its first compressed message on. Where messages hold secrets beside what
  /// strangers may choose, their length tells something of the secrets: turn it off there.
  public var webSocketCompression: WebSocketCompression? {
    get { state.withLock { $0.webSocketCompression } }
    set { state.withLock { $0.webSocketCompression = newValue } }
  }
}
