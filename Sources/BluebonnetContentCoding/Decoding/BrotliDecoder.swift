import CBluebonnetBrotli

/// Brotli (RFC 7932), its window of 16 MiB at most.
final class BrotliDecoder: StageDecoder {
  private let state: OpaquePointer
  private var hasBegun = false
  private var hasEnded = false

  init() throws(ContentCodingError) {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
    self.state = state
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
  }

  func decode(_ input: UnsafeRawBufferPointer, _ sink: StageSink) throws(ContentCodingError) {
    guard !hasEnded, !input.isEmpty else { return }
    hasBegun = true
    var available = input.count
    var next = input.bindMemory(to: UInt8.self).baseAddress
    while true {
      // No output buffer: the decoder lends its own window instead, which saves a copy.
      var noRoom = 0
      let result = BrotliDecoderDecompressStream(state, &available, &next, &noRoom, nil, nil)
      while BrotliDecoderHasMoreOutput(state) != 0 {
        var count = 0
        guard let start = BrotliDecoderTakeOutput(state, &count), count > 0 else { break }
        try sink(UnsafeRawBufferPointer(start: start, count: count))
      }
      switch result {
      case BROTLI_DECODER_RESULT_SUCCESS:
        hasEnded = true
        return
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
      default: throw .corrupt(.brotli)
      }
    }
  }

  func finish() throws(ContentCodingError) {
    guard hasEnded || !hasBegun else { throw .truncated(.brotli) }
  }
}
