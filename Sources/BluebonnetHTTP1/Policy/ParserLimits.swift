// SPDX-License-Identifier: MIT

/// Bounds on what a peer can make a parser keep or look at. Bodies have no limit here: they are never kept.
public struct ParserLimits: Sendable, Hashable {
  /// Bytes of a start line and its fields. 128 KiB: Node stops at 16 KiB, curl at 300 KiB, Go's client at 1 MiB;
  /// large security policies and cookies fit easily.
  public var headBytes: Int
  /// Field lines in a head or a trailer section. 512: Apache and Python's `http.client` stop at 100, nginx and
  /// curl count bytes only.
  public var fieldCount: Int
  /// Bytes of one line without its terminator. 64 KiB: as Python's `http.client`; Apache stops at 8 KiB, curl at
  /// 100 KiB.
  public var lineBytes: Int
  /// Bytes between a chunk's size and the end of its line. 4 KiB: real servers send none, and unlimited
  /// extensions were a denial-of-service hole in several servers.
  public var chunkExtensionBytes: Int
  /// Bytes of chunk sizes, extensions and line ends in a whole body, beyond 16 for each chunk and two for each of its
  /// data bytes. 16 KiB: as Go's client and server count them. So a body may come in chunks of one byte, and each chunk
  /// may have a signature in its extension, but a body cannot consist of extensions.
  public var chunkOverheadBytes: Int
  /// Bytes of a trailer section. 16 KiB: trailers carry a checksum or a status, not a second head.
  public var trailerBytes: Int
  /// Interim (1xx) responses before the final one. 32: Go's client stops at 5, most others do not count; a
  /// progress-reporting server may send one every few seconds.
  public var interimResponses: Int

  /// Creates limits; those not named keep their defaults.
  public init(
    headBytes: Int = 128 * 1024, fieldCount: Int = 512, lineBytes: Int = 64 * 1024,
    chunkExtensionBytes: Int = 4096, chunkOverheadBytes: Int = 16 * 1024, trailerBytes: Int = 16 * 1024,
    interimResponses: Int = 32
  ) {
    self.headBytes = headBytes
    self.fieldCount = fieldCount
    self.lineBytes = lineBytes
    self.chunkExtensionBytes = chunkExtensionBytes
    self.chunkOverheadBytes = chunkOverheadBytes
    self.trailerBytes = trailerBytes
    self.interimResponses = interimResponses
  }

  /// The limits a parser uses unless told otherwise.
  public static let `default` = ParserLimits()

  /// Offsets inside a head are kept in 32 bits, so no section may be longer than that whatever was configured.
  static let longestSection = Int(Int32.max)
}
