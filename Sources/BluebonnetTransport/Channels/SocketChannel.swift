// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc

/// A connected stream socket, or one that is about to be: owns the descriptor and its one registration.
///
/// It remembers the poller's events (edge-triggered: once per change) across owners, so that a change
/// of owners loses nothing.
package final class SocketChannel: Channel {
  private struct State: ~Copyable {
    /// Nil once closed.
    var descriptor: FileDescriptor?
    var registration: Registration?
    var owner: (any ChannelOwner)?
    /// There may be bytes or the end: set by an edge, cleared by a short or blocked read.
    var mayRead = false
    var hasHungUp = false
    /// The owner waits for room. That there is some is told with every other change and means nothing otherwise.
    var awaitsRoom = false
  }

  package let loop: EventLoop
  /// The descriptor's number; of no use once closed.
  let number: Int32
  // Exclusivity goes unchecked at run time, as many times a request as this is touched: only the holder of the loop gets
  // here, and no member calls other code while it is being changed.
  @exclusivity(unchecked) private var state: State

  package init(_ descriptor: consuming FileDescriptor, loop: EventLoop) {
    number = descriptor.rawValue
    self.loop = loop
    state = State(descriptor: consume descriptor)
  }

  /// Has the loop watch the socket, once in its life. Its present state is told, too. The loop keeps the channel alive
  /// from here on until `close`.
  ///
  /// - Parameter connecting: The connection is under way: room to send means that it is there, or has failed.
  package func register(connecting: Bool = false) throws(SystemError) {
    assert(state.registration == nil, "a socket is registered once")
    state.awaitsRoom = connecting
    state.registration = try loop.register(number, handler: self)
  }

  package var layers: Int { 0 }

  package var owner: (any ChannelOwner)? {
    get { state.owner }
    set { state.owner = newValue }
  }

  package var isOpen: Bool { state.descriptor != nil }

  /// The pending error of a socket that was connecting.
  func takeError() -> SystemError? {
    Syscall.takeError(number, of: "connect")
  }

  package var localAddress: SocketAddress? {
    isOpen ? try? Syscall.localAddress(number) : nil
  }
}

extension SocketChannel: ReadinessHandler {
  package func ready(_ readiness: Readiness) {
    if readiness.isOver { state.hasHungUp = true }
    if state.hasHungUp || readiness.isReadable { state.mayRead = true }
    let hasRoom = state.awaitsRoom && readiness.isWritable
    if hasRoom { state.awaitsRoom = false }
    if hasRoom || readiness.isReadable || readiness.isOver { state.owner?.channelIsReady(hasRoom: hasRoom) }
  }
}

// MARK: - Reading

extension SocketChannel {
  package var mayRead: Bool { state.mayRead }
  package var hasHungUp: Bool { state.hasHungUp }
  package var hasUnread: Bool { false }

  package var isQuiet: Bool {
    isOpen && !state.hasHungUp && Syscall.isQuiet(number)
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading {
    guard state.mayRead else { return .later }
    guard isOpen else { return .failed(.network(Self.closed("recv"))) }
    switch Syscall.receive(number, buffer) {
    case .bytes(let count):
      // A short read drained the socket; what comes later raises a new edge.
      if count < buffer.count, !state.hasHungUp { state.mayRead = false }
      return .bytes(count)
    case .wouldBlock:
      state.mayRead = false
      return .later
    case .endOfStream:
      // A caller that asks again is told again.
      state.hasHungUp = true
      return .end
    case .failed(let error):
      return .failed(.network(error))
    }
  }

  package func setReceiveLowWater(_ count: Int) {
    guard isOpen else { return }
    // Where the kernel refuses, every byte goes on being reported.
    try? Syscall.setReceiveLowWater(number, Int32(clamping: count))
    // What lies below the old mark has raised no edge.
    if count <= 1 { state.mayRead = true }
  }

  private static func closed(_ call: String) -> SystemError {
    assertionFailure("a channel is not used after it was closed")
    return SystemError(errno: EBADF, call: call)
  }
}

// MARK: - Writing

extension SocketChannel {
  package func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWriting {
    guard isOpen else { return .failed(.network(Self.closed("send"))) }
    return result(of: Syscall.send(number, bytes))
  }

  package func write(_ pieces: UnsafeMutableBufferPointer<iovec>) -> ChannelWriting {
    guard isOpen else { return .failed(.network(Self.closed("sendmsg"))) }
    return result(of: Syscall.sendVector(number, pieces))
  }

  private func result(of transfer: TransferResult) -> ChannelWriting {
    switch transfer {
    case .bytes(let count): return .bytes(count)
    case .failed(let error):
      // What the peer said before it went away is still to be read.
      state.mayRead = true
      return .failed(.network(error))
    case .wouldBlock: break
    case .endOfStream: assertionFailure("nothing that is sent ends a stream")
    }
    state.awaitsRoom = true
    return .later
  }

  package func flush() -> ChannelFlush { .done }
  package var unsentBytes: Int { 0 }
  package var unacknowledgedBytes: Int? { Syscall.unacknowledged(number) }
}

// MARK: - Ending

extension SocketChannel {
  package func notifyOfClose() {}

  package func endSending() {
    if isOpen { try? Syscall.shutdown(number, .sending) }
  }

  package func resetOnClose() {
    if isOpen { try? Syscall.setResetOnClose(number) }
  }

  package func close() {
    if let registration = state.registration.take() { loop.deregister(registration) }
    state.owner = nil
    state.descriptor = nil
    state.mayRead = false
  }
}
