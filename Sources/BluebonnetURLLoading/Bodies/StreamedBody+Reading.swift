import BluebonnetFoundation

extension StreamedBody {
  /// What can be read from a file.
  init(file path: String, canBeReadAgain: Bool) {
    self.init(length: nil, replayObstacle: canBeReadAgain ? nil : Self.passingFile) { writer in
      try await writer.write(from: QueuedReader(.file(path: path)))
    }
  }

  /// What can be read from a stream.
  init(stream: InputStream) {
    // It belongs to whoever reads it, which is the one who has claimed the body.
    nonisolated(unsafe) let stream = stream
    self.init(length: nil, replayObstacle: Self.inputStream) { writer in
      try await writer.write(from: QueuedReader(.stream(stream)))
    }
  }

  static let inputStream = "it is a stream, which can be read once"
  static let passingFile = "it is a pipe or a device, which can be read once"
}

extension BodyWriter {
  /// Writes all that there is to read.
  fileprivate mutating func write(from reader: QueuedReader) async throws {
    while let piece = try await reader.read() { try await write(piece) }
  }
}
