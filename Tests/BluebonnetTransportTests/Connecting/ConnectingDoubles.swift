// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Glibc

@testable import BluebonnetTransport

/// How often something is done that must leave no descriptor behind. The test library opens a few of its own when it
/// likes, so that only a number that grows with each round is a leak.
let descriptorRounds = 30

/// How many descriptors the process has open.
func openDescriptors() -> Int {
  guard let directory = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}

/// Runs a connector and keeps what it reports.
///
/// `@unchecked Sendable`: touched in loop context, and by the test after `done`.
final class Report: @unchecked Sendable {
  private let loop: EventLoop
  private let done = Signal()
  private var connector: SocketConnector?
  private var result: Result<ConnectedChannel, ConnectError>?
  private(set) var timestamps = ConnectTimestamps()
  private(set) var completions = 0

  init(
    loop: EventLoop, target: ConnectTarget, limit: Duration? = nil,
    stagger: Duration = AddressRace.defaultStagger, resolver: NameResolver.Resolver? = nil,
    meanwhile: @escaping (SocketConnector) -> Void = { _ in }
  ) {
    self.loop = loop
    loop.withLoop {
      let connector = SocketConnector(
        loop: loop, target: target, deadline: limit.map { loop.now.adding($0) },
        attemptDelay: stagger,
        resolver: resolver.map { NameResolver(local: { _ in nil }, resolver: $0) } ?? NameResolver()
      ) { [self] result, timestamps in
        self.result = result
        self.timestamps = timestamps
        completions += 1
        done.raise()
      }
      self.connector = connector
      connector.start()
      assert(completions == 0)
      meanwhile(connector)
    }
  }

  /// Waits for the end, which is a connection.
  func socket() -> ConnectedChannel? {
    guard done.wait(), case .success(let socket)? = result else { return nil }
    result = nil
    return socket
  }

  /// Waits for the end, which is an error.
  func error() -> ConnectError? {
    guard done.wait(), case .failure(let error)? = result else { return nil }
    return error
  }

  func cancel() {
    loop.withLoop { connector?.cancel() }
  }

  /// Sockets that the connector still has.
  var openAttempts: Int {
    loop.withLoop { connector?.openAttempts ?? 0 }
  }
}

/// A listener that receives until each connection ends.
///
/// `@unchecked Sendable`: the variables are set once, in `init`.
final class Reception: @unchecked Sendable {
  let accepted = Signal()
  let ended = Signal()
  private var listener: Listener?

  init(loop: EventLoop, address: SocketAddress) throws {
    let (accepted, ended) = (accepted, ended)
    listener = try Listener(loop: loop, address: address) { descriptor, _ in
      accepted.raise()
      _ = try? Guest(descriptor, loop: loop, ended: ended)
    }
  }

  var address: SocketAddress { listener?.address ?? .loopback(port: 0) }

  func close() {
    listener?.close()
  }

  private final class Guest: ReadinessHandler {
    private var descriptor: FileDescriptor?
    private var registration: Registration?
    private let loop: EventLoop
    private let ended: Signal

    init(_ descriptor: consuming FileDescriptor, loop: EventLoop, ended: Signal) throws {
      self.loop = loop
      self.ended = ended
      let number = descriptor.rawValue
      self.descriptor = consume descriptor
      registration = try loop.register(number, handler: self)
    }

    func ready(_ readiness: Readiness) {
      guard readiness.contains(.hangup), let registration = registration.take() else { return }
      loop.deregister(registration)
      descriptor = nil
      ended.raise()
    }
  }
}

/// A listener that accepts nobody and whose queue is full: over TCP a further connection gets no answer, because the
/// kernel drops its SYN; over a Unix-domain socket it gets `EAGAIN`.
final class Crowd {
  let address: SocketAddress
  private var listener: FileDescriptor?
  private var members: [Int32] = []

  init(at address: SocketAddress) throws {
    let listener = try Syscall.streamSocket(family: address.protocolFamily)
    try Syscall.bind(listener.rawValue, to: address)
    try Syscall.listen(listener.rawValue, backlog: 0)
    self.address = try Syscall.localAddress(listener.rawValue) ?? address
    self.listener = consume listener
    // A connection that is still underway after a while has met the full queue.
    for _ in 0..<16 {
      let member = try Syscall.streamSocket(family: address.protocolFamily)
      let result = Syscall.connect(member.rawValue, to: self.address)
      members.append(member.release())
      if case .failed = result { return }
      var poll = pollfd(fd: members[members.count - 1], events: Int16(POLLOUT), revents: 0)
      if result == .inProgress && Glibc.poll(&poll, 1, 100) == 0 { return }
    }
  }

  /// Accepts everyone who waits.
  func letIn() {
    guard let number = listener?.rawValue else { return }
    while let accepted = try? Syscall.accept(number) { members.append(accepted.takeDescriptor().release()) }
  }

  deinit {
    for member in members { close(member) }
  }
}
