// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc
import BluebonnetTLS

/// A stream of bytes in both directions: a socket, or a protocol such as TLS on top of another channel.
///
/// The owner pulls and pushes; a channel does nothing of itself but tell its owner when that is worth while again. So
/// channels stand on each other to any height without knowing the one above, and go from one owner to the next
/// with what they have received and not given out yet.
///
///     connect attempt ──owner──▶ connection ──hand-over──▶ user of another protocol ──▶ close()
///
/// A protocol and not a closed set of types: a call costs some ten instructions more than a direct one, of which a small
/// request makes about eight, and a tunnel through a proxy needs no change here.
///
/// Ways that a channel may offer beyond these, because only a socket can go them: sending from a file (`sendfile(2)`)
/// and passing bytes on in the kernel (`splice(2)`). They belong to `SocketChannel`, beside `write`, with the same
/// result; a caller asks first whether the channel is one.
///
/// Used only while the loop is held.
package protocol Channel: AnyObject {
  var loop: EventLoop { get }

  /// The owner, told when reading or writing may go on, and kept alive by the channel until `close` or another owner.
  /// A new owner looks at `mayRead` first: what came before it was there is not told again.
  var owner: (any ChannelOwner)? { get set }

  /// The number of channels below this one.
  var layers: Int { get }

  // MARK: Reading

  /// A read may give something. Otherwise the owner is told when one does.
  var mayRead: Bool { get }

  /// Whether the peer sends no more than the bytes received already.
  var hasHungUp: Bool { get }

  /// Bytes have been received that no reader was given.
  var hasUnread: Bool { get }

  /// Whether there is nothing to read first, no bytes, end or error: the next bytes answer the next bytes sent.
  /// Asks the kernel.
  var isQuiet: Bool { get }

  /// Reads what there is. The buffer's contents belong to the caller afterwards.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading

  /// Sets the number of bytes that must have arrived before the owner is told. A hint to save wake-ups: the end is told at any time,
  /// and
  /// where the kernel refuses, every byte is.
  func setReceiveLowWater(_ count: Int)

  // MARK: Writing

  /// Sends pieces one behind the other, as far as there is room. They are lent for the call only.
  func write(_ pieces: UnsafeMutableBufferPointer<iovec>) -> ChannelWriting

  /// The same with one piece.
  func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWriting

  /// Sends what `write` has taken and the kernel has not.
  func flush() -> ChannelFlush

  /// The bytes taken by `write`, in their form on the wire, but not by the kernel yet.
  var unsentBytes: Int { get }

  /// `unsentBytes`, and what the kernel has and the peer's has not; nil where the kernel does not say.
  var unacknowledgedBytes: Int? { get }

  // MARK: Ending

  /// Says, where the protocol has words for it, that nothing more will be sent; it goes out with the next `flush`.
  func notifyOfClose()

  /// Ends the sending direction of the socket below.
  func endSending()

  /// Makes the coming `close` a reset: unsent bytes are dropped.
  func resetOnClose()

  /// Closes the socket below, at once and without a word. The owner hears nothing from here on, and is let go of.
  func close()
}

/// The user of a channel, reading from it and writing to it.
package protocol ChannelOwner: AnyObject {
  /// A read may give something, the end or an error included; see `mayRead`. Told once per change: go on until `later`.
  ///
  /// - Parameter hasRoom: What did not fit may be written now.
  func channelIsReady(hasRoom: Bool)
}

/// The result of a read.
package enum ChannelReading: Equatable, Sendable {
  /// So many bytes. None: something came that is not for the reader, such as a record of TLS's own; read on.
  case bytes(Int)
  /// Nothing before the owner is told.
  case later
  /// The peer has sent its last byte, and has said so where the protocol has words for it.
  case end
  case failed(ChannelFault)
}

/// The result of a write.
package enum ChannelWriting: Equatable, Sendable {
  /// So many bytes were taken. They may still wait to be sent: see `flush`.
  case bytes(Int)
  /// None before the owner is told that there is room.
  case later
  case failed(ChannelFault)
}

/// The result of a flush.
package enum ChannelFlush: Equatable, Sendable {
  /// The kernel has everything.
  case done
  /// Not all before the owner is told that there is room.
  case later
  case failed(ChannelFault)
}

/// Why a channel is of no further use.
package enum ChannelFault: Error, Equatable, Sendable {
  case network(SystemError)
  case tls(TLSError)
}
