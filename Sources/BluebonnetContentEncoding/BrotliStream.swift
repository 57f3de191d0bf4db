// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import CBluebonnetBrotliEncoder

/// A brotli compressor (RFC 7932); its output lies in its own memory until it is taken.
final class BrotliStream: StageEncoder {
  private let state: OpaquePointer

  init(quality: Int) throws(ContentCodingError) {
    guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
    self.state = state
    // Both are within their ranges, the only thing that it could object to.
    BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, UInt32(min(max(quality, 0), 11)))
  }

  deinit {
    BrotliEncoderDestroyInstance(state)
  }

  func run(
    _ input: UnsafeRawBufferPointer, _ step: EncodingStep, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError) {
    var available = input.count
    var next = input.bindMemory(to: UInt8.self).baseAddress
    repeat {
      // No output buffer: the encoder lends its own memory instead, which saves a copy.
      var noRoom = 0
      guard
        BrotliEncoderCompressStream(state, step.operation, &available, &next, &noRoom, nil, nil)
          == BROTLI_TRUE
      else { throw .outOfMemory }
      while BrotliEncoderHasMoreOutput(state) == BROTLI_TRUE {
        var count = 0
        guard let start = BrotliEncoderTakeOutput(state, &count), count > 0 else { break }
        sink(UnsafeRawBufferPointer(start: start, count: count))
      }
    } while available > 0 || step == .finish && BrotliEncoderIsFinished(state) == BROTLI_FALSE
  }
}

extension EncodingStep {
  fileprivate var operation: BrotliEncoderOperation {
    switch self {
    case .proceed: BROTLI_OPERATION_PROCESS
    case .flush: BROTLI_OPERATION_FLUSH
    case .finish: BROTLI_OPERATION_FINISH
    }
  }
}
