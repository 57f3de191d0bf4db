// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension StreamedBody {
  /// The contents of a file.
  init(file path: String, canBeReadAgain: Bool) {
    self.init(length: nil, replayObstacle: canBeReadAgain ? nil : Self.passingFile) { writer in
      try await writer.write(from: QueuedReader(.file(path: path)))
    }
  }

  /// The contents of a stream.
  init(stream: InputStream) {
    // It belongs to its reader, the one that has claimed the body.
    nonisolated(unsafe) let stream = stream
    self.init(length: nil, replayObstacle: Self.inputStream) { writer in
      try await writer.write(from: QueuedReader(.stream(stream)))
    }
  }

  static let inputStream = "it is a stream and can only be read once"
  static let passingFile = "it is a pipe or a device and can only be read once"
}

extension BodyWriter {
  /// Writes all that there is to read.
  fileprivate mutating func write(from reader: QueuedReader) async throws {
    while let piece = try await reader.read() { try await write(piece) }
  }
}
