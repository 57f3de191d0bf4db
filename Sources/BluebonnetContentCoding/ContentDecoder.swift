/// Undoes the content codings of one body as it comes in.
///
/// Nothing may be fed after `finish()`. After an error the decoder repeats that error.
package final class ContentDecoder {
  private let stages: [any StageDecoder]
  private let limit: DecompressionLimit
  /// Bytes that went into the first stage.
  private var inputCount = 0
  /// Bytes that came out of each stage.
  private var outputCounts: [Int]
  private var failure: ContentCodingError?

  /// As many as curl undoes.
  package static let mostCodings = 5

  /// - Parameter codings: In the order of Content-Encoding, that is, in which they were applied.
  package init(
    codings: [ContentCoding], limit: DecompressionLimit = .inMemory
  ) throws(ContentCodingError) {
    guard codings.count <= Self.mostCodings else { throw .tooManyCodings(codings.count) }
    var stages: [any StageDecoder] = []
    for coding in codings.reversed() {
      switch coding {
      case .gzip: stages.append(try GzipDecoder())
      case .deflate: stages.append(DeflateDecoder())
      case .brotli: stages.append(try BrotliDecoder())
      }
    }
    self.stages = stages
    self.limit = limit
    outputCounts = Array(repeating: 0, count: stages.count)
  }

  package static func supports(_ name: some StringProtocol) -> Bool { ContentCoding(name: name) != nil }

  /// Decodes the next part of the body; `sink` gets what comes out, in pieces that are gone when it returns.
  package func decode(
    _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError) {
    if let failure { throw failure }
    guard !input.isEmpty else { return }
    inputCount += input.count
    do {
      try run(stage: 0, input, sink)
    } catch {
      failure = error
      throw error
    }
  }

  /// Tells that the body is complete: an unfinished stream is an error, a body without any byte is not.
  package func finish() throws(ContentCodingError) {
    if let failure { throw failure }
    do {
      for stage in stages { try stage.finish() }
    } catch {
      failure = error
      throw error
    }
  }

  private func run(
    stage index: Int, _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError) {
    guard index < stages.count else { return sink(input) }
    try stages[index].decode(input) { output throws(ContentCodingError) in
      outputCounts[index] += output.count
      // Every stage counts: one could blow up what the next one makes small again.
      guard limit.allows(outputCounts[index], from: inputCount) else {
        throw .bomb(.init(output: outputCounts[index], input: inputCount, limit: limit))
      }
      try run(stage: index + 1, output, sink)
    }
  }
}
