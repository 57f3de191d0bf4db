// SPDX-License-Identifier: MIT
import CBluebonnetBrotli

/// Brotli (RFC 7932), its window of 16 MiB at most.
final class BrotliDecoder: StageDecoder {
  private let state: OpaquePointer
  private var hasBegun = false
  private var hasEnded = false
  /// It goes on without further input.
  private var isFull = false

  init() throws(ContentCodingError) {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
    self.state = state
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
  }

  func next(_ input: inout UnsafeRawBufferPointer) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    while true {
      if let output = takeOutput() { return output }
      guard !hasEnded, isFull || !input.isEmpty else {
        input.drop()
        return nil
      }
      try decode(&input)
    }
  }

  private func decode(_ input: inout UnsafeRawBufferPointer) throws(ContentCodingError) {
    hasBegun = true
    var available = input.count
    var next = input.bindMemory(to: UInt8.self).baseAddress
    // No output buffer: the decoder lends its own window instead, which saves a copy.
    var noRoom = 0
    let result = BrotliDecoderDecompressStream(state, &available, &next, &noRoom, nil, nil)
    input.drop(input.count - available)
    isFull = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: input.drop()
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
    default: throw .corrupt(.brotli)
    }
  }

  private func takeOutput() -> UnsafeRawBufferPointer? {
    guard BrotliDecoderHasMoreOutput(state) != 0 else { return nil }
    var count = ContentDecoder.largestPiece
    guard let start = BrotliDecoderTakeOutput(state, &count), count > 0 else { return nil }
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  func finish() throws(ContentCodingError) {
    guard hasEnded || !hasBegun else { throw .truncated(.brotli) }
  }
}
