// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Tells when the links, addresses or routes of this machine have changed, until it is stopped.
///
///     watching ──a change──▶ settling ──50 ms──▶ tells, watching
///        │                      │  ▲
///        │                      └──┘ more changes
///        └──stop──▶ stopped ◀── stop, from anywhere
///
/// It says that something has changed, not what: a link that comes up brings a row of changes, and which of them make a
/// difference shows when the kernel is asked (`NetworkInquiry`).
///
/// It watches the network namespace of the thread that made it, or its socket.
package final class NetworkWatch: Sendable {
  /// Called in loop context.
  package typealias OnChange = @Sendable () -> Void

  /// `RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR`, `RTMGRP_IPV4_ROUTE`, `RTMGRP_IPV6_IFADDR`, `RTMGRP_IPV6_ROUTE`.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
  /// The time for which changes are gathered, so that a row of them is told once.
  package static let settlingTime: Duration = .milliseconds(50)
  /// Datagrams taken per visit, so that a flood of them does not keep the loop from its sockets.
  private static let batch = 64

  private let loop: EventLoop
  private let onChange: OnChange
  private let state: LoopConfined<State>

  private final class State {
    var descriptor: FileDescriptor?
    var registration: Registration?
    var settling: TimerToken?

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = consume descriptor }
  }

  /// Watches from now on. May be called from any thread.
  package convenience init(loop: EventLoop, onChange: @escaping OnChange) throws(SystemError) {
    try self.init(loop: loop, socket: Self.socket(), onChange: onChange)
  }

  /// Watches by a socket that another thread may have made.
  package init(
    loop: EventLoop, socket: consuming FileDescriptor, onChange: @escaping OnChange
  ) throws(SystemError) {
    let number = socket.rawValue
    self.loop = loop
    self.onChange = onChange
    state = LoopConfined(State(socket))
    try loop.withLoop { () throws(SystemError) in
      state.value.registration = try loop.register(number, handler: self)
    }
  }

  /// The source of a watch's changes: those of the calling thread's network namespace, from now on.
  package static func socket() throws(SystemError) -> FileDescriptor {
    try Syscall.netlinkSocket(groups: groups, isBlocking: false)
  }

  /// Ends it: nothing is told any more. May be called from any thread, and more than once.
  package func stop() {
    loop.withLoop {
      if let registration = state.value.registration.take() { loop.deregister(registration) }
      if let settling = state.value.settling.take() { loop.cancel(settling) }
      state.value.descriptor = nil
    }
  }

  private func takeBatch() {
    for _ in 0..<Self.batch {
      guard let number = state.value.descriptor?.rawValue else { return }
      let reading = loop.withReceiveBuffer { buffer -> Reading in
        switch Syscall.receiveFromKernel(number, buffer) {
        case .bytes(let count): Self.isChange(buffer[..<count]) ? .change : .nothing
        case .wouldBlock, .endOfStream: .end
        // Messages were lost, so something has changed. The socket goes on.
        case .failed(let error): error.errno == ENOBUFS ? .change : .end
        }
      }
      switch reading {
      case .change: settle()
      case .nothing: break
      case .end: return
      }
    }
    // Edge-triggered: what still waits is not announced again.
    loop.enqueue { self.takeBatch() }
  }

  private enum Reading { case change, nothing, end }

  /// An unreadable datagram may have been a change.
  private static func isChange(_ datagram: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    guard !datagram.isEmpty else { return false }
    var parser = NetlinkParser(datagram)
    do throws(NetlinkError) {
      while let packet = try parser.next() {
        switch packet.message {
        case .link, .linkRemoved, .address, .addressRemoved, .route, .routeRemoved, .overrun: return true
        case .acknowledged, .failed, .done, .other: break
        }
      }
      return false
    } catch {
      return true
    }
  }

  private func settle() {
    guard state.value.settling == nil else { return }
    state.value.settling = loop.schedule(at: loop.now.adding(Self.settlingTime)) {
      self.state.value.settling = nil
      self.onChange()
    }
  }
}

extension NetworkWatch: ReadinessHandler {
  package func ready(_ readiness: Readiness) { takeBatch() }
}
