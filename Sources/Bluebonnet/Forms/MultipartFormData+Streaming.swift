// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetURLLoading

extension MultipartFormData {
  /// The form as it is encoded while it is sent, part by part.
  ///
  /// - Throws: `AFError` for the first part that cannot be sent.
  public func streamed() throws -> StreamedBody {
    let parts = try validParts()
    let boundary = boundary
    return StreamedBody(length: encodedLength(of: parts), replayObstacle: Self.replayObstacle(of: parts)) {
      var stream = MultipartStream(boundary: boundary)
      for part in parts { try await stream.write(part, to: &$0) }
      try await stream.end(&$0)
    }
  }

  /// Nil if a part does not know its length.
  private func encodedLength(of parts: [MultipartPart]) -> Int64? {
    guard !parts.isEmpty else { return 0 }
    var total = UInt64(MultipartStream.end(boundary).utf8.count)
    for (number, part) in parts.enumerated() {
      guard let length = part.length else { return nil }
      let head = part.head(after: MultipartStream.delimiter(boundary, isFirst: number == 0))
      let (sum, overflows) = total.addingReportingOverflow(UInt64(head.count))
      let (all, overflowsToo) = sum.addingReportingOverflow(length)
      // More than can be sent: noticed when the parts have ended.
      total = overflows || overflowsToo ? .max : all
    }
    return Int64(clamping: total)
  }

  private static func replayObstacle(of parts: [MultipartPart]) -> String? {
    parts.firstIndex { !$0.isReplayable }.map {
      "part \($0 + 1) of its form is a stream or a sequence and can only be read once"
    }
  }
}

/// A form on its way (RFC 2046 §5.1.1).
struct MultipartStream {
  private let boundary: String
  private var isEmpty = true

  init(boundary: String) {
    self.boundary = boundary
  }

  static func delimiter(_ boundary: String, isFirst: Bool) -> String {
    "\(isFirst ? "" : "\r\n")--\(boundary)\r\n"
  }

  static func end(_ boundary: String) -> String { "\r\n--\(boundary)--\r\n" }

  /// Writes a part, delimiter and head included.
  mutating func write(_ part: MultipartPart, to writer: inout BodyWriter) async throws {
    if case .parts(let sequence) = part.source { return try await write(sequence, to: &writer) }
    try await writer.write(part.head(after: Self.delimiter(boundary, isFirst: isEmpty)))
    isEmpty = false
    switch part.source {
    case .data(let data): try await writer.write(data)
    case .file(let url): try await copy(part, from: url, to: &writer)
    case .stream(let stream):
      try await copy(part, from: QueuedReader(.stream(stream), length: part.length), to: &writer)
    case .body(let body):
      do {
        try await writer.write(body)
      } catch let error as DeclaredLength.Mismatch {
        throw part.unexpectedLength(UInt64(error.seen))
      }
    case .parts: break
    }
  }

  /// There is no other part.
  func end(_ writer: inout BodyWriter) async throws {
    // Without any part there is no form either.
    if !isEmpty { try await writer.write(Array(Self.end(boundary).utf8)) }
  }

  private mutating func write(_ parts: MultipartPartSequence, to writer: inout BodyWriter) async throws {
    var (stream, inner) = (self, writer)
    defer { (self, writer) = (stream, inner) }
    try await parts { part in try await stream.write(try part.content.get(), to: &inner) }
  }

  private func copy(_ part: MultipartPart, from url: URL, to writer: inout BodyWriter) async throws {
    let reader = QueuedReader(.file(path: url.path), length: part.length)
    do {
      try await reader.open()
    } catch let error where !(error is CancellationError) {
      throw AFError.multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: url))
    }
    try await copy(part, from: reader, to: &writer)
  }

  /// Of the stream's bytes, no more than the part's length. A stream that has been read is closed: forms may have more parts than
  /// there are descriptors.
  private func copy(_ part: MultipartPart, from reader: QueuedReader, to writer: inout BodyWriter)
    async throws
  {
    do {
      try await copyOpen(part, from: reader, to: &writer)
    } catch {
      await reader.close()
      throw error
    }
    await reader.close()
  }

  private func copyOpen(_ part: MultipartPart, from reader: QueuedReader, to writer: inout BodyWriter)
    async throws
  {
    let length = part.length ?? .max
    var total: UInt64 = 0
    while total < length {
      let piece: BodyPiece?
      do {
        piece = try await reader.read(atMost: Int(clamping: length - total))
      } catch let error where !(error is CancellationError) {
        throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
      }
      guard let piece else { throw part.unexpectedLength(total) }
      total += UInt64(piece.count)
      try await writer.write(piece)
    }
  }
}
