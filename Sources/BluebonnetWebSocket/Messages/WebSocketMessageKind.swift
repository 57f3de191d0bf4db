// SPDX-License-Identifier: MIT

/// The kind of a message's bytes (RFC 6455 §5.6).
public enum WebSocketMessageKind: Sendable, Hashable {
  /// UTF-8.
  case text
  /// Whatever the application makes of it.
  case binary
}
