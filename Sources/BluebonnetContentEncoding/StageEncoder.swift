// SPDX-License-Identifier: MIT
import BluebonnetContentCoding

/// One coding's encoder.
protocol StageEncoder: AnyObject {
  /// Encodes all of the input and gives the bytes that are ready to `sink`, in pieces that are gone when it returns.
  func run(
    _ input: UnsafeRawBufferPointer, _ step: EncodingStep, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError)
}

/// The point that the output has to reach.
enum EncodingStep {
  /// The encoder may keep as much as it likes.
  case proceed
  /// All that went in can be decoded.
  case flush
  /// The stream ends.
  case finish
}
