// SPDX-License-Identifier: MIT

/// Bounds on what a peer can make an endpoint keep.
public struct WebSocketLimits: Sendable, Hashable {
  /// Bytes of one message, after it was inflated. 1 MiB: the default of Apple's systems and of Python's `websockets`; the
  /// `ws` of Node.js stops at 100 MiB, browsers when memory does.
  ///
  /// As a message is refused as soon as it becomes longer, it is the guard against decompression bombs, too.
  public var messageBytes: Int
  /// Bytes of one frame as it is on the wire; `nil`, the default, leaves it to ``messageBytes``. A compressed frame has no
  /// other limit than this, because nothing of it is kept.
  public var frameBytes: Int?

  /// Creates limits; those not named keep their defaults. Less than 0 is taken for 0.
  public init(messageBytes: Int = 1 << 20, frameBytes: Int? = nil) {
    self.messageBytes = max(messageBytes, 0)
    self.frameBytes = frameBytes.map { max($0, 0) }
  }
}
