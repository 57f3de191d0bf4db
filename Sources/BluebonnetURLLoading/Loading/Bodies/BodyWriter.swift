// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetFoundation
import BluebonnetSemantics

/// The room for what a producer writes, on its way to the connection.
protocol ProducedBodyRoom: Sendable {
  /// - Parameter attempt: The number of times that the body was begun.
  /// - Returns: The number of bytes taken; nil if the body is no longer wanted.
  func append(_ bytes: UnsafeRawBufferPointer, in attempt: Int) -> Int?

  /// Returns when there is room again, or the body is no longer wanted.
  func wait(in attempt: Int) async
}

/// The writer for a body's producer. A write returns when all of it is on its way, and waits while enough is.
package struct BodyWriter {
  private let room: any ProducedBodyRoom
  private let attempt: Int
  private var length: DeclaredLength
  /// Of the body that is written as a part of this one.
  private var partLength: DeclaredLength?
  /// The last byte of all, while it is not known to be.
  private var last: UInt8?
  private let encoder: ContentEncoder?

  init(
    into room: any ProducedBodyRoom, attempt: Int, length: Int64?, encoder: ContentEncoder?
  ) {
    self.room = room
    self.attempt = attempt
    self.length = DeclaredLength(length)
    self.encoder = encoder
  }

  /// - Throws: `CancellationError` if the body is no longer wanted, or a mismatch with the declared length.
  package mutating func write(_ bytes: some ContiguousBytes) async throws {
    let count = bytes.withUnsafeBytes(\.count)
    guard count > 0 else { return }
    _ = try partLength?.follow(count)
    let isLast = try length.follow(count)
    try await pass(bytes, count: isLast ? count - 1 : count)
    if isLast { last = bytes.withUnsafeBytes(\.last) }
  }

  /// Writes another body as a part of this one.
  ///
  /// - Throws: also what its length was found to be, and ``Spent``.
  package mutating func write(_ part: StreamedBody) async throws {
    guard part.begin() else { throw Spent(obstacle: part.replayObstacle ?? "") }
    partLength = DeclaredLength(part.length)
    try await part.produce(&self)
    try partLength?.end()
    partLength = nil
  }

  /// A body that can be sent once has been read from.
  package struct Spent: Error, CustomStringConvertible {
    let obstacle: String

    package var description: String { "\(obstacle), and has been read from" }
  }

  /// The body is complete.
  mutating func finish() async throws {
    try length.end()
    if let last { try await pass(CollectionOfOne(last), count: 1) }
    guard let encoder else { return }
    var coded = Data()
    try encoder.finish { coded.append(contentsOf: $0) }
    try await put(coded, from: 0, to: coded.count)
  }

  /// Encodes a part at a time, so that what comes out of one is not large either.
  private static var portion: Int { 64 * 1024 }

  private func pass(_ bytes: some ContiguousBytes, count: Int) async throws {
    guard let encoder else { return try await put(bytes, from: 0, to: count) }
    var offset = 0
    while offset < count {
      let end = min(offset + Self.portion, count)
      var coded = Data()
      try bytes.withUnsafeBytes { bytes in
        try encoder.encode(UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) {
          coded.append(contentsOf: $0)
        }
      }
      try await put(coded, from: 0, to: coded.count)
      offset = end
    }
  }

  private func put(_ bytes: some ContiguousBytes, from start: Int, to end: Int) async throws {
    var offset = start
    while offset < end {
      let taken = bytes.withUnsafeBytes {
        room.append(UnsafeRawBufferPointer(rebasing: $0[offset..<end]), in: attempt)
      }
      guard let taken else { throw CancellationError() }
      offset += taken
      if offset < end { await room.wait(in: attempt) }
    }
  }
}
