// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTLS
import Glibc

@testable import BluebonnetTransport

extension Connection {
  /// The socket below everything.
  var socket: SocketChannel? { channel.socket }
}

extension Channel {
  var socket: SocketChannel? { self as? SocketChannel ?? (self as? TLSChannel)?.lower.socket }

  func write(text: String) -> ChannelWriting {
    Array(text.utf8).withUnsafeBytes { write($0) }
  }

  func write(texts: [String]) -> ChannelWriting {
    let bytes = texts.map { Array($0.utf8) }
    var pieces = bytes.map { piece in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
      copy.copyBytes(from: piece)
      return iovec(iov_base: copy.baseAddress, iov_len: piece.count)
    }
    defer { for piece in pieces { piece.iov_base?.deallocate() } }
    return pieces.withUnsafeMutableBufferPointer { write($0) }
  }

  /// One read, as text.
  func readText(_ limit: Int = 65_536) -> (text: String, outcome: ChannelReading) {
    var buffer = [UInt8](repeating: 0, count: limit)
    let outcome = buffer.withUnsafeMutableBytes { read(into: $0) }
    guard case .bytes(let count) = outcome else { return ("", outcome) }
    return (String(decoding: buffer[..<count], as: UTF8.self), outcome)
  }
}

/// Drives a channel: takes TLS through its handshakes from the lowest up, then sends what it was given and collects what
/// comes until the end.
///
/// `@unchecked Sendable`: touched while the loop is held only.
final class ChannelDriver: ChannelOwner, @unchecked Sendable {
  struct Record: Sendable {
    var received: [UInt8] = []
    var end: ChannelReading?
    var handshakes = 0
    /// What had been received before the driver was there.
    var unread: [UInt8] = []
    var isSent = false
  }

  let record = Locked(Record())
  private var channel: any Channel
  private var pendingEngines: [TLSEngine]
  private var toSend: [UInt8]

  /// - Parameter engines: For the layers of TLS, the lowest first.
  init(_ channel: any Channel, engines: [TLSEngine] = [], unread: [UInt8] = [], sending bytes: [UInt8]) {
    self.channel = channel
    pendingEngines = engines
    toSend = bytes
    var rest = unread
    if !engines.isEmpty {
      self.channel = TLSChannel(pendingEngines.removeFirst(), over: channel, unread: unread)
      rest = []
    }
    record.withLock { [rest] in $0.unread = rest }
    self.channel.owner = self
  }

  func channelIsReady(hasRoom: Bool) { advance() }

  func advance() {
    guard record.withLock({ $0.end == nil }) else { return }
    while let tls = channel as? TLSChannel, record.withLock({ $0.handshakes }) < tls.layers {
      switch tls.handshake() {
      case .later: return
      case .failed(let fault): return end(.failed(fault))
      case .certificateRequested: try? tls.engine.authenticate(with: nil)
      case .complete:
        record.withLock { $0.handshakes += 1 }
        guard !pendingEngines.isEmpty else { break }
        channel = TLSChannel(pendingEngines.removeFirst(), over: channel)
      }
    }
    send()
    receive()
  }

  private func send() {
    while !toSend.isEmpty {
      switch toSend.withUnsafeBytes({ channel.write(UnsafeRawBufferPointer(rebasing: $0.prefix(100_000))) }) {
      case .bytes(let count): toSend.removeFirst(count)
      case .later: return
      case .failed(let fault): return end(.failed(fault))
      }
    }
    let isSent = channel.flush() == .done
    record.withLock { $0.isSent = isSent }
  }

  private func receive() {
    var page = [UInt8](repeating: 0, count: 70_000)
    while record.withLock({ $0.end == nil }) {
      switch page.withUnsafeMutableBytes({ channel.read(into: $0) }) {
      case .bytes(let count): record.withLock { $0.received += page[..<count] }
      case .later: return
      case .end: end(.end)
      case .failed(let fault): end(.failed(fault))
      }
    }
  }

  /// Says goodbye where there are words for it.
  func close() {
    channel.notifyOfClose()
    _ = channel.flush()
    channel.close()
  }

  private func end(_ reading: ChannelReading) {
    record.withLock { $0.end = reading }
    close()
  }
}

/// A loop and a connected socket in it, whose other end is a blocking descriptor.
final class ChannelStand: Sendable {
  let loop = EventLoop(name: "channel-test")
  let peer: Int32
  private let number: Int32

  init() throws {
    let pair = try Syscall.socketPair()
    (number, peer) = (pair.0, pair.1)
    _ = fcntl(peer, F_SETFL, 0)
  }

  /// The channel, to be asked for once, and its owner told of nothing. The loop must be held.
  func channel() throws -> SocketChannel {
    let channel = SocketChannel(FileDescriptor(owning: number), loop: loop)
    try channel.register()
    return channel
  }

  func peerSends(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  func peerReceives(_ count: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(peer, &bytes, count, Int32(MSG_WAITALL))
    return String(decoding: bytes.prefix(max(received, 0)), as: UTF8.self)
  }

  func stop() {
    close(peer)
    loop.stop()
  }
}

/// Remembers what it was told.
///
/// `@unchecked Sendable`: touched while the loop is held only.
final class Listening: ChannelOwner, @unchecked Sendable {
  /// Whether there was room, each time.
  let heard = Locked<[Bool]>([])
  func channelIsReady(hasRoom: Bool) { heard.withLock { $0.append(hasRoom) } }
}
