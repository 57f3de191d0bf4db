// SPDX-License-Identifier: MIT
import BluebonnetWebSocket

/// The owner of a WebSocket connection, told of its progress, always while the loop is held. It may call the connection
/// from within.
package protocol WebSocketClient: AnyObject {
  /// A message has come. Text is UTF-8.
  func webSocket(
    _ connection: WebSocketConnection, didReceive kind: WebSocketMessageKind, _ bytes: consuming [UInt8])

  /// The peer's Close has come; the end follows.
  func webSocket(_ connection: WebSocketConnection, didReceive close: WebSocketClose)

  /// The last call.
  ///
  /// - Parameter error: Nil if both sides have said that they close.
  func webSocket(_ connection: WebSocketConnection, didEndWith error: TransportError?)
}
