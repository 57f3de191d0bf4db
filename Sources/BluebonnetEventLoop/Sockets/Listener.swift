// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Takes connections from a listening socket.
package final class Listener: Sendable {
  /// Is called in loop context with each connection, a non-blocking descriptor, and the address of its other end.
  package typealias OnAccept = @Sendable (consuming FileDescriptor, SocketAddress?) -> Void

  /// The listener's address: with the port that the kernel chose if none was asked for.
  package let address: SocketAddress

  private let loop: EventLoop
  private let onAccept: OnAccept
  private let state: LoopConfined<State>

  private final class State {
    var descriptor: FileDescriptor?
    var registration: Registration?
    var pause: TimerToken?

    init(_ descriptor: consuming FileDescriptor) {
      self.descriptor = consume descriptor
    }
  }

  /// Connections taken per visit, so that a flood of them does not keep the loop from those it has.
  private static let batch = 64
  /// The time that a listener waits when the process has no descriptors left.
  private static let pauseLength: Duration = .milliseconds(50)

  /// Listens from now on, until `close`. Connections arrive in loop context. May be called from any thread.
  package init(
    loop: EventLoop, address: SocketAddress, backlog: Int32 = 1024, onAccept: @escaping OnAccept
  ) throws(SystemError) {
    let descriptor = try Syscall.streamSocket(family: address.protocolFamily)
    if address.family != .unix { try Syscall.setReuseAddress(descriptor.rawValue) }
    if address.family == .ipv6 { try Syscall.setIPv6Only(descriptor.rawValue) }
    try Syscall.bind(descriptor.rawValue, to: address)
    try Syscall.listen(descriptor.rawValue, backlog: backlog)
    self.address = try Syscall.localAddress(descriptor.rawValue) ?? address
    self.loop = loop
    self.onAccept = onAccept
    let number = descriptor.rawValue
    state = LoopConfined(State(descriptor))
    try loop.withLoop { () throws(SystemError) in
      state.value.registration = try loop.register(number, handler: self)
    }
  }

  /// Stops listening. Connections that were handed over live on. May be called from any thread, and more than once.
  package func close() {
    loop.withLoop {
      if let registration = state.value.registration.take() { loop.deregister(registration) }
      if let pause = state.value.pause.take() { loop.cancel(pause) }
      state.value.descriptor = nil
    }
  }

  private func acceptBatch() {
    for _ in 0..<Self.batch {
      // The owner may have closed the listener on receiving a connection.
      guard let number = state.value.descriptor?.rawValue else { return }
      do throws(SystemError) {
        guard let accepted = try Syscall.accept(number) else { return }
        let peer = accepted.peer
        onAccept(accepted.descriptor, peer)
      } catch {
        guard !Self.isAboutOneConnection(error) else { continue }
        return rest()
      }
    }
    // Edge-triggered: what still waits is not announced again.
    loop.enqueue { self.acceptBatch() }
  }

  private func rest() {
    guard state.value.pause == nil else { return }
    state.value.pause = loop.schedule(at: loop.now.adding(Self.pauseLength)) {
      self.state.value.pause = nil
      self.acceptBatch()
    }
  }

  /// The connection went away before it was taken (accept(2): such errors are passed on from the network).
  private static func isAboutOneConnection(_ error: SystemError) -> Bool {
    switch error.errno {
    case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
      ENETUNREACH:
      true
    default: false
    }
  }
}

extension Listener: ReadinessHandler {
  package func ready(_ readiness: Readiness) {
    if state.value.pause == nil { acceptBatch() }
  }
}
