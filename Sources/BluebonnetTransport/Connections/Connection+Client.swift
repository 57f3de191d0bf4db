// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1

/// The client of a connection: it is told of its request's progress, always while the loop is held.
protocol ConnectionClient: AnyObject {
  /// The response's body is held back: nothing is read for it, and nothing of it is told.
  var isPaused: Bool { get }
  /// The request's body is held back: no more of it is asked for.
  var isSuspended: Bool { get }
  /// It ends for a reason that lies beyond the response.
  func failed(_ cause: TransportError.Cause)

  // MARK: The request

  /// - Parameter reused: The connection has served others before.
  func requestStarts(headBytes: Int, reused: Bool)
  /// The channel has taken bytes of the body.
  func staged(_ count: Int)
  /// Some bytes have gone to the kernel.
  func sentAny()
  /// Everything that was staged has gone to the kernel.
  func flushedBody()
  /// The channel takes no more for now: a time to ask how far a body has come.
  func measureUpload()
  /// The kernel has all of the request.
  func requestEnded()
  /// Whether the peer has all of the body, as far as is known.
  func hasArrived() -> Bool

  // MARK: The response

  func receivedAny()
  func received(interim head: ResponseHead)
  /// - Parameter byteCount: What the head took on the wire.
  func received(_ response: ReceivedHead, of byteCount: Int)
  func received(_ bytes: UnsafeRawBufferPointer)
  /// Fields behind the body (RFC 9110 §6.5), right before its end.
  func received(trailers: FieldBlock)
  func responseEnded(_ ending: HTTP1Exchange.Ending)
  /// The response was the last word of HTTP/1.1; the connection has closed without its channel.
  func upgraded(by upgrade: ChannelUpgrade)
  /// There will be no more of it.
  func responseBroke(_ failure: PeerFailure)
}

/// The owner of a connection: it makes it and gives it requests.
protocol ConnectionOwner: AnyObject {
  func connectionOpened()
  /// The last that is heard of a connection.
  func connectionClosed()
  /// An idle connection has ended or was spoken on out of turn. It closes now.
  func idleClosed(_ connection: Connection)
  /// The time that a server asked for a 100 may keep silent before the body goes out anyway, in nanoseconds.
  var continuePatience: UInt64 { get }
  /// Lends memory for decrypted bytes on their way to the parser. Not for nested use.
  func withPlaintextBuffer(_ body: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool
}
