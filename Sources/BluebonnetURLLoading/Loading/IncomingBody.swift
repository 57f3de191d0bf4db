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

  /// There is a copy.
  private(set) var isCopied = false

  /// A response begins, which may be kept or may not.
  mutating func begin(length: Int64, isCopied: Bool) {
    self.length = length
    self.isCopied = isCopied
    copy = isCopied ? Data() : nil
  }

  mutating func dropCopy() {
    isCopied = false
    copy = nil
  }

  /// What was copied goes elsewhere from here on.
  mutating func takeCopy() -> Data {
    defer { copy = nil }
    return copy ?? Data()
  }

  /// Keeps a copy of what comes, until there is more of it than the cache would take.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let count = copy?.count else { return }
    if count + bytes.count > copyLimit {
      dropCopy()
    } else {
      copy?.append(contentsOf: bytes)
    }
  }
}
