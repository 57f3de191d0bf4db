import BluebonnetHTTP1
import Glibc

/// A request on its way out: how much of its head, of the piece of body that was lent last, and of the framing around
/// that piece still has to be sent. The bytes themselves stay where they are, so that a channel takes them from there.
///
///     head ──▶ (piece)* ──▶ complete
///
/// A value without a socket: it says what to send, and is told what was sent.
struct OutgoingRequest {
  /// How the server finds the end of the body.
  enum Body: Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// The most of a body that is sent at once: large enough that a gigabyte needs few system calls.
  static let pieceSize = 256 * 1024

  private var headStart = 0
  private var headEnd = 0
  private var body = Body.none
  /// Of a counted body, what has not been lent; of a chunked one, whether there may be more.
  private var remaining = 0
  // The piece that was lent last, within its framing.
  private var prefix: [UInt8] = []
  private var prefixStart = 0
  private var piece = 0
  private var suffix: [UInt8] = []
  private var suffixStart = 0

  init() {}

  /// The next request of a connection.
  mutating func begin(headBytes: Int, body: Body) {
    assert(isEmpty, "the last request was sent or abandoned")
    headStart = 0
    headEnd = headBytes
    self.body = body
    remaining = 0
    switch body {
    case .none: break
    case .length(let length): remaining = length
    case .chunked: remaining = .max
    }
  }

  /// Everything has been sent.
  var isComplete: Bool { headStart == headEnd && remaining == 0 && !holdsPiece }

  /// There is nothing to send before another piece is lent.
  var isEmpty: Bool { headStart == headEnd && !holdsPiece }

  /// The next piece of the body is to be lent, to be sent behind what is there already.
  var wantsPiece: Bool { remaining > 0 && !holdsPiece }

  /// The body's bytes have to be at hand for more to be sent than what is there already.
  var needsBody: Bool { piece > 0 || wantsPiece }

  /// The part of the head that has not been sent, if nothing else has to be.
  var headAlone: Range<Int>? { holdsPiece ? nil : headStart..<headEnd }

  private var holdsPiece: Bool { piece > 0 || prefixStart < prefix.count || suffixStart < suffix.count }

  /// So many bytes of the body are at hand, at least one. Once `wantsPiece`.
  mutating func lend(_ count: Int) {
    assert(wantsPiece && count > 0, "a piece is lent when one is wanted")
    piece = min(count, remaining, Self.pieceSize)
    guard body == .chunked else {
      remaining -= piece
      return
    }
    (prefix, prefixStart) = (ChunkedEncoder.header(size: piece), 0)
    (suffix, suffixStart) = (ChunkedEncoder.chunkEnd, 0)
  }

  /// The body is over.
  ///
  /// - Returns: how many bytes are missing of what was announced.
  mutating func endBody() -> Int {
    guard body == .chunked else { return remaining }
    assert(wantsPiece, "a body ends behind its last piece")
    remaining = 0
    (suffix, suffixStart) = (ChunkedEncoder.terminator, 0)
    return 0
  }

  /// Lends what there is to send, in order.
  ///
  /// - Parameters:
  ///   - head: The whole head.
  ///   - rest: Begins with what is left of the piece.
  func withPieces<R>(
    head: [UInt8], rest: UnsafeRawBufferPointer, _ body: (UnsafeMutableBufferPointer<iovec>) -> R
  ) -> R {
    head.withUnsafeBytes { head in
      prefix.withUnsafeBytes { prefix in
        suffix.withUnsafeBytes { suffix in
          withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { pieces in
            var count = 0
            func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
              guard !bytes.isEmpty else { return }
              let bytes = UnsafeRawBufferPointer(rebasing: bytes)
              // Only read: the type is that of a call that is used for receiving, too.
              let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
              pieces.initializeElement(at: count, to: iovec(iov_base: base, iov_len: bytes.count))
              count += 1
            }
            add(head[headStart..<headEnd])
            add(prefix[prefixStart...])
            add(rest.prefix(piece))
            add(suffix[suffixStart...])
            return body(UnsafeMutableBufferPointer(rebasing: pieces[..<count]))
          }
        }
      }
    }
  }

  /// So many bytes of all that have been sent, from the front.
  ///
  /// - Returns: how many of them belong to the body.
  mutating func sent(_ count: Int) -> Int {
    var left = count
    func take(_ most: Int) -> Int {
      let taken = min(left, most)
      left -= taken
      return taken
    }
    headStart += take(headEnd - headStart)
    prefixStart += take(prefix.count - prefixStart)
    let ofBody = take(piece)
    piece -= ofBody
    suffixStart += take(suffix.count - suffixStart)
    assert(left == 0, "no more is sent than there is")
    return ofBody
  }

  /// What is left is not going to be sent.
  mutating func abandon() {
    if !isComplete { self = OutgoingRequest() }
  }
}
