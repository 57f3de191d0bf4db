/// One coding being undone.
///
/// `decode` takes all of its input and hands out whatever that completes; `finish` throws if the stream that
/// was begun is not complete. Bytes behind a complete stream are passed over, as browsers do: some servers
/// pad, and the stream's own checksum has already vouched for the content.
protocol StageDecoder: AnyObject {
  func decode(_ input: UnsafeRawBufferPointer, _ sink: StageSink) throws(ContentCodingError)
  func finish() throws(ContentCodingError)
}

typealias StageSink = (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
