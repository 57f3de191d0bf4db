// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

/// The bytes of a body, one piece after the other.
final class BodyStream: InputStream {
  private var pieces: ArraySlice<BodyPlan.Piece>
  /// The number of bytes read of the first piece.
  private var offset = 0
  /// The first piece, if that is a file.
  private var descriptor: Int32?

  init(_ body: BodyPlan) {
    pieces = body.pieces[...]
    super.init(data: Data())
  }

  deinit { closeFile() }

  override func open() {}

  override func close() { closeFile() }

  override var hasBytesAvailable: Bool { !pieces.isEmpty }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    while let piece = pieces.first {
      let count =
        switch piece {
        case .bytes(let bytes): copy(bytes, to: buffer, len)
        case .file(let path, let start, let length): read(path, start, length, into: buffer, len)
        }
      guard count == 0 else { return count }
      closeFile()
      offset = 0
      pieces.removeFirst()
    }
    return 0
  }

  private func copy(_ bytes: [UInt8], to buffer: UnsafeMutablePointer<UInt8>, _ room: Int) -> Int {
    let count = min(room, bytes.count - offset)
    for index in 0..<count { buffer[index] = bytes[offset + index] }
    offset += count
    return count
  }

  private func read(
    _ path: String, _ start: Int, _ length: Int, into buffer: UnsafeMutablePointer<UInt8>, _ room: Int
  ) -> Int {
    let descriptor = descriptor ?? BluebonnetLibc.open(ByteText.path(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    self.descriptor = descriptor
    while true {
      let count = pread(descriptor, buffer, min(room, length - offset), start + offset)
      if count >= 0 {
        offset += count
        return count
      }
      if errno != EINTR { return count }
    }
  }

  private func closeFile() {
    if let descriptor = descriptor.take() { BluebonnetLibc.close(descriptor) }
  }
}

/// Standard input as a body; it can be read once.
final class StandardInputStream: InputStream {
  private var isAtEnd = false

  init() { super.init(data: Data()) }

  override func open() {}
  override func close() {}
  override var hasBytesAvailable: Bool { !isAtEnd }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    while true {
      let count = BluebonnetLibc.read(STDIN_FILENO, buffer, len)
      if count == 0 { isAtEnd = true }
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
