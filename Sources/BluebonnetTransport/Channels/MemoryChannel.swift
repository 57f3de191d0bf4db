// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc

/// One end of a stream of bytes within this process: what one end writes, the other reads. No descriptor, no kernel. For
/// servers that stand in for real ones in tests.
///
/// It behaves as a connected socket does: bytes written beyond its room wait, readiness is told once per change, and
/// later than the call that brought it about.
package final class MemoryChannel: Channel {
  /// The bytes that may wait at one end; about what the kernel lends a socket.
  static let capacity = 256 * 1024

  package let loop: EventLoop
  package var owner: (any ChannelOwner)?

  /// The other end. Each keeps the other until one is closed.
  private var peer: MemoryChannel?
  private var received: [UInt8] = []
  private var consumed = 0
  private var lowWater = 1
  private var hasEnded = false
  private var fault: SystemError?
  private var isOpen = true
  private var resets = false
  private var awaitsRoom = false
  /// The event that the owner is about to be told; nil for none.
  private var news: (hasRoom: Bool, Void)?

  private init(loop: EventLoop) { self.loop = loop }

  /// Two ends that are connected.
  package static func pair(on loop: EventLoop) -> (MemoryChannel, MemoryChannel) {
    let ends = (MemoryChannel(loop: loop), MemoryChannel(loop: loop))
    ends.0.peer = ends.1
    ends.1.peer = ends.0
    return ends
  }

  private var unread: Int { received.count - consumed }

  /// Tells the owner, once for all that happens until then.
  private func announce(hasRoom: Bool = false) {
    if let known = news {
      news = (known.hasRoom || hasRoom, ())
      return
    }
    news = (hasRoom, ())
    loop.enqueue { [channel = LoopConfined(self)] in
      guard let news = channel.value.news.take() else { return }
      channel.value.owner?.channelIsReady(hasRoom: news.hasRoom)
    }
  }

  private func endsAt(_ fault: SystemError?) {
    hasEnded = true
    if let fault {
      self.fault = fault
      received = []
      consumed = 0
    }
    announce()
  }
}

// MARK: - Reading

extension MemoryChannel {
  package var layers: Int { 0 }
  package var mayRead: Bool { unread > 0 || hasEnded }
  package var hasHungUp: Bool { hasEnded }
  package var hasUnread: Bool { false }
  package var isQuiet: Bool { isOpen && !mayRead }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading {
    if let fault { return .failed(.network(fault)) }
    guard unread > 0 else { return hasEnded ? .end : .later }
    let count = min(unread, buffer.count)
    received.withUnsafeBytes { bytes in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[consumed..<(consumed + count)]))
    }
    consumed += count
    if consumed == received.count {
      received.removeAll(keepingCapacity: true)
      consumed = 0
    }
    if let peer, peer.awaitsRoom, unread <= Self.capacity / 2 {
      peer.awaitsRoom = false
      peer.announce(hasRoom: true)
    }
    return .bytes(count)
  }

  package func setReceiveLowWater(_ count: Int) { lowWater = max(1, count) }
}

// MARK: - Writing

extension MemoryChannel {
  package func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWriting {
    guard let peer else { return .failed(.network(SystemError(errno: EPIPE, call: "send"))) }
    let room = Self.capacity - peer.unread
    guard room > 0 || bytes.isEmpty else {
      awaitsRoom = true
      return .later
    }
    let count = min(room, bytes.count)
    peer.take(bytes[..<count])
    return .bytes(count)
  }

  package func write(_ pieces: UnsafeMutableBufferPointer<iovec>) -> ChannelWriting {
    var total = 0
    for piece in pieces where piece.iov_len > 0 {
      switch write(UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)) {
      case .bytes(let count):
        total += count
        if count < piece.iov_len { return .bytes(total) }
      case .later: return total > 0 ? .bytes(total) : .later
      case .failed(let fault): return .failed(fault)
      }
    }
    return .bytes(total)
  }

  private func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
    if consumed > 0 {
      received.removeFirst(consumed)
      consumed = 0
    }
    received.append(contentsOf: bytes)
    if unread >= lowWater { announce() }
  }

  package func flush() -> ChannelFlush { .done }
  package var unsentBytes: Int { 0 }
  package var unacknowledgedBytes: Int? { peer?.unread ?? 0 }
}

// MARK: - Ending

extension MemoryChannel {
  package func notifyOfClose() {}

  package func endSending() { peer?.endsAt(nil) }

  package func resetOnClose() { resets = true }

  package func close() {
    owner = nil
    isOpen = false
    guard let peer = peer.take() else { return }
    peer.peer = nil
    peer.endsAt(resets ? SystemError(errno: ECONNRESET, call: "recv") : nil)
  }
}
