// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetTransport

/// The response's body on its way: its destination, its copy for the cache, and the reasons for holding it back.
struct IncomingBody {
  var sink = BodySink.delegate
  /// Its length as it is handed over, as far as it is known.
  var length = NSURLSessionTransferSizeUnknown
  /// Why it is held back, wherever it comes from.
  // Spelled out, because an empty literal goes through the generic initializer of all option sets at run time.
  var holds = Holds(rawValue: 0)
  /// Bytes handed to a queue and not yet taken there.
  var undelivered = Backlog()
  /// The number of bytes thrown away.
  var discarded = 0
  /// The copy so far, if the response may be stored.
  private(set) var copy: Data?
  /// The most bytes that the cache would take.
  var copyLimit = 0

  /// There is a copy.
  private(set) var isCopied = false

  /// Begins a response that may be stored or may not.
  mutating func begin(length: Int64, isCopied: Bool) {
    self.length = length
    self.isCopied = isCopied
    copy = isCopied ? Data() : nil
  }

  mutating func dropCopy() {
    isCopied = false
    copy = nil
  }

  /// The copy goes elsewhere from here on.
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
