// SPDX-License-Identifier: MIT

/// An offer of permessage-deflate (RFC 7692).
///
/// A connection that compresses takes some 300 KiB in each direction's first compressed message and not before.
public struct WebSocketCompression: Sendable, Hashable {
  /// This side forgets each message before the next: less memory in the peer, and nothing that one message says shows in
  /// the length of another (CRIME). Default: false. The peer may ask for it in any case.
  public var ownNoContextTakeover: Bool
  /// The peer is to forget each message before the next. Default: false.
  public var peerNoContextTakeover: Bool
  /// The window that this side compresses with at most, in bits from 8 to 15; `nil`, the default, leaves the choice to the
  /// peer. With 8 nothing is compressed: zlib cannot.
  public var ownWindowBits: Int?
  /// The window that the peer is to compress with at most, in bits from 8 to 15; `nil`, the default, for any. It saves memory
  /// in the peer only: reading keeps 32 KiB, and a peer that reaches further back than agreed is understood.
  public var peerWindowBits: Int?
  /// Shorter messages go out as they are, in bytes. 256: below that deflate saves little and costs the most per byte; the
  /// `ws` of Node.js draws the line at 1,024, Python's `websockets` nowhere.
  public var threshold: Int

  /// Creates an offer; parameters not named keep their defaults.
  public init(
    ownNoContextTakeover: Bool = false, peerNoContextTakeover: Bool = false, ownWindowBits: Int? = nil,
    peerWindowBits: Int? = nil, threshold: Int = 256
  ) {
    self.ownNoContextTakeover = ownNoContextTakeover
    self.peerNoContextTakeover = peerNoContextTakeover
    self.ownWindowBits = ownWindowBits
    self.peerWindowBits = peerWindowBits
    self.threshold = threshold
  }

  static let windowRange = 8...15

  /// Whether it can be offered.
  var isValid: Bool {
    [ownWindowBits, peerWindowBits].allSatisfy { $0.map(Self.windowRange.contains) ?? true }
  }
}

/// The compression of both sides, as agreed (RFC 7692 §7.1).
public struct WebSocketDeflate: Sendable, Hashable {
  /// This side forgets each message before the next.
  public var ownNoContextTakeover = false
  /// The peer does.
  public var peerNoContextTakeover = false
  /// The window that this side compresses with, in bits from 8 to 15.
  public var ownWindowBits = 15
  /// The window that the peer compresses with, in bits from 8 to 15.
  public var peerWindowBits = 15
  /// Shorter messages go out as they are, in bytes.
  public var threshold = 256

  /// The agreement where no parameters are named.
  public init() {}
}
