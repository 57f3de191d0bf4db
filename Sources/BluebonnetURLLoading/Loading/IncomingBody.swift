import BluebonnetFoundation
import BluebonnetTransport

/// The response's body on its way: where it goes, what is kept of it, and why it is held back.
struct IncomingBody {
  var sink = BodySink.delegate
  /// Its length as it is handed over, as far as it is known.
  var length = NSURLSessionTransferSizeUnknown
  /// Why it is held back, wherever it comes from.
  // Spelled out, because an empty literal goes through the generic initializer of all option sets at run time.
  var holds = Holds(rawValue: 0)
  /// Bytes handed to a queue and not yet taken there.
  var undelivered = Backlog()
  /// How much of it was thrown away.
  var discarded = 0
  /// What came in so far, if the response may be kept.
  private(set) var copy: Data?
  /// How much of it the cache would take.
  var copyLimit = 0

  var isCopied: Bool { copy != nil }

  /// A response begins, which may be kept or may not.
  mutating func begin(length: Int64, isCopied: Bool) {
    self.length = length
    copy = isCopied ? Data() : nil
  }

  mutating func dropCopy() { copy = nil }

  /// Keeps a copy of what comes, until there is more of it than the cache would take.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let count = copy?.count else { return }
    if count + bytes.count > copyLimit {
      copy = nil
    } else {
      copy?.append(contentsOf: bytes)
    }
  }
}
