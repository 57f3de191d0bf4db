// SPDX-License-Identifier: MIT

/// Undoes the content codings of one body as it comes in.
///
/// Nothing may be fed after `finish()`. After an error the decoder repeats that error.
package final class ContentDecoder {
  private let stages: [any StageDecoder]
  private let limit: DecompressionLimit
  /// The bytes given out by the stage before and not taken by this one, each lent by the stage before.
  private var inputs: [UnsafeRawBufferPointer]
  /// Bytes that the first stage has taken.
  private var inputCount = 0
  /// Bytes that came out of each stage.
  private var outputCounts: [Int]
  private var failure: ContentCodingError?

  /// The most that comes out at once.
  package static let largestPiece = 64 * 1024
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
    inputs = Array(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: stages.count)
    outputCounts = Array(repeating: 0, count: stages.count)
  }

  /// Decodes the next part of the body, all at once; `sink` gets what comes out, in pieces that are gone when it returns.
  package func decode(
    _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError) {
    var rest = input
    _ = try decode(from: &rest) {
      sink($0)
      return true
    }
  }

  /// Decodes the next part of the body for as long as `sink` wants more, and takes what it decodes from the front of
  /// `input`.
  ///
  /// - Parameter sink: Gets what comes out, in pieces of `largestPiece` at most that are gone when it returns, and says
  ///   whether it wants another one now.
  /// - Returns: false if there may be more to come. Then the rest of `input`, perhaps empty, or a copy of it
  ///   comes before all other input.
  package func decode(
    from input: inout UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(ContentCodingError) -> Bool {
    if let failure { throw failure }
    do {
      while let output = try next(of: stages.count - 1, &input) {
        guard sink(output) else { return false }
      }
      return true
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

  /// The next piece that comes out of a stage.
  private func next(
    of index: Int, _ input: inout UnsafeRawBufferPointer
  ) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    guard index >= 0 else { return pass(&input) }
    while true {
      guard let output = try advance(index, &input) else {
        // It has used up what it was given.
        guard index > 0, let more = try next(of: index - 1, &input) else { return nil }
        inputs[index] = more
        continue
      }
      outputCounts[index] += output.count
      // Every stage counts: one could blow up what the next one makes small again.
      guard limit.allows(outputCounts[index], from: inputCount) else {
        throw .bomb(.init(output: outputCounts[index], input: inputCount, limit: limit))
      }
      return output
    }
  }

  private func advance(
    _ index: Int, _ input: inout UnsafeRawBufferPointer
  ) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    guard index == 0 else { return try stages[index].next(&inputs[index]) }
    let count = input.count
    defer { inputCount += count - input.count }
    return try stages[0].next(&input)
  }

  /// Without any coding.
  private func pass(_ input: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard !input.isEmpty else { return nil }
    let piece = UnsafeRawBufferPointer(rebasing: input.prefix(Self.largestPiece))
    input.drop(piece.count)
    return piece
  }
}
