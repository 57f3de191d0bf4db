// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

/// Every system call of the package. Nothing else touches `errno`.
package enum Syscall {
  /// Calls until the answer is not "interrupted by a signal" and turns `errno` into a typed error.
  @inline(__always)
  private static func retrying<R: SignedInteger>(
    _ call: @autoclosure () -> String, _ body: () -> R
  ) throws(SystemError) -> R {
    while true {
      let result = body()
      if result != -1 { return result }
      let number = errno
      if number != EINTR { throw SystemError(errno: number, call: call()) }
    }
  }
}

// MARK: - Moving bytes

extension Syscall {
  package static func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> TransferResult
  {
    let result = transfer("recv") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    // Asking for nothing also yields zero, and says nothing about the peer.
    if case .bytes(0) = result, buffer.count > 0 { return .endOfStream }
    return result
  }

  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> TransferResult {
    transfer("send") { BluebonnetLibc.send(descriptor, bytes.baseAddress, bytes.count, noSignal) }
  }

  /// Sends the buffers one behind the other with a single call.
  package static func sendVector(_ descriptor: Int32, _ buffers: UnsafeMutableBufferPointer<iovec>)
    -> TransferResult
  {
    var message = msghdr()
    message.msg_iov = buffers.baseAddress
    message.msg_iovlen = buffers.count
    return transfer("sendmsg") { sendmsg(descriptor, &message, noSignal) }
  }

  /// Whether a connected socket has neither bytes nor an end nor an error waiting, by looking without taking.
  package static func isQuiet(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let result = transfer("recv") { recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) }
    if case .wouldBlock = result { return true }
    return false
  }

  @inline(__always)
  private static func transfer(_ call: @autoclosure () -> String, _ body: () -> Int) -> TransferResult {
    do throws(SystemError) {
      return .bytes(try retrying(call(), body))
    } catch {
      return error.errno == EAGAIN || error.errno == EWOULDBLOCK ? .wouldBlock : .failed(error)
    }
  }

  /// A peer that is gone is an error to handle, not a signal that ends the process.
  private static let noSignal = CInt(MSG_NOSIGNAL)
}

// MARK: - Sockets

extension Syscall {
  /// The result of a non-blocking `connect`.
  package enum ConnectResult: Equatable, Sendable {
    case connected
    case inProgress
    case failed(SystemError)
  }

  /// Whether a socket's other end may go on: the directions that `shutdown` closes.
  package enum Direction: Sendable {
    case receiving
    case sending
    case both
  }

  /// A non-blocking stream socket that child processes do not inherit.
  package static func streamSocket(family: Int32) throws(SystemError) -> FileDescriptor {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try retrying("socket") { socket(family, type, 0) })
  }

  /// Two connected non-blocking stream sockets.
  package static func socketPair() throws(SystemError) -> (Int32, Int32) {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    var pair: (Int32, Int32) = (-1, -1)
    _ = try retrying("socketpair") {
      withUnsafeMutableBytes(of: &pair) { bytes in
        socketpair(AF_UNIX, type, 0, bytes.assumingMemoryBound(to: Int32.self).baseAddress)
      }
    }
    return pair
  }

  package static func connect(_ descriptor: Int32, to address: SocketAddress) -> ConnectResult {
    do throws(SystemError) {
      _ = try retrying("connect") {
        address.withSockAddr { pointer, length in BluebonnetLibc.connect(descriptor, pointer, length) }
      }
      return .connected
    } catch {
      switch error.errno {
      case EINPROGRESS, EALREADY: return .inProgress
      // The attempt that a signal interrupted has been completed by the kernel.
      case EISCONN: return .connected
      default: return .failed(error)
      }
    }
  }

  package static func bind(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    _ = try retrying("bind") {
      address.withSockAddr { pointer, length in BluebonnetLibc.bind(descriptor, pointer, length) }
    }
  }

  package static func listen(_ descriptor: Int32, backlog: Int32) throws(SystemError) {
    _ = try retrying("listen") { BluebonnetLibc.listen(descriptor, backlog) }
  }

  /// The next waiting connection, or nil if there is none.
  package static func accept(_ descriptor: Int32) throws(SystemError) -> Accepted? {
    let flags = CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    do throws(SystemError) {
      var accepted: Int32 = -1
      let address = try SocketAddress.reading { (pointer, length) throws(SystemError) in
        accepted = try retrying("accept4") { accept4(descriptor, pointer, &length, flags) }
      }
      return Accepted(descriptor: FileDescriptor(owning: accepted), peer: address)
    } catch {
      if error.errno == EAGAIN || error.errno == EWOULDBLOCK { return nil }
      throw error
    }
  }

  /// A connection taken from a listening socket, and its peer.
  package struct Accepted: ~Copyable {
    package let descriptor: FileDescriptor
    package let peer: SocketAddress?

    /// The descriptor on its own, for other modules, which cannot take a noncopyable value apart.
    package consuming func takeDescriptor() -> FileDescriptor { descriptor }
  }

  package static func shutdown(_ descriptor: Int32, _ direction: Direction) throws(SystemError) {
    let how =
      switch direction {
      case .receiving: CInt(SHUT_RD)
      case .sending: CInt(SHUT_WR)
      case .both: CInt(SHUT_RDWR)
      }
    _ = try retrying("shutdown") { BluebonnetLibc.shutdown(descriptor, how) }
  }

  package static func localAddress(_ descriptor: Int32) throws(SystemError) -> SocketAddress? {
    try SocketAddress.reading { (pointer, length) throws(SystemError) in
      _ = try retrying("getsockname") { getsockname(descriptor, pointer, &length) }
    }
  }
}

// MARK: - Socket options

extension Syscall {
  /// The pending error of a socket (`SO_ERROR`), cleared by reading it; nil if there is none.
  package static func takeError(_ descriptor: Int32, of call: String) -> SystemError? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    do throws(SystemError) {
      _ = try retrying("getsockopt") { getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &length) }
      return value == 0 ? nil : SystemError(errno: value, call: call)
    } catch {
      return error
    }
  }

  /// Sends small segments at once (RFC 896's delay off).
  package static func setNoDelay(_ descriptor: Int32) throws(SystemError) {
    try setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  /// Has the kernel ask a silent peer whether it is still there.
  ///
  /// - Parameter seconds: Of silence before it is asked, and between one question and the next.
  package static func setKeepAlive(_ descriptor: Int32, seconds: Int32) throws(SystemError) {
    try setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    try setOption(descriptor, CInt(IPPROTO_TCP), TCP_KEEPIDLE, seconds)
    try setOption(descriptor, CInt(IPPROTO_TCP), TCP_KEEPINTVL, seconds)
  }

  /// Sends and receives through one network interface only.
  package static func bind(_ descriptor: Int32, toInterface name: String) throws(SystemError) {
    let length = socklen_t(name.utf8.count)
    guard name.withCString({ setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, length) }) == 0 else {
      throw SystemError(errno: BluebonnetLibc.errno, call: "setsockopt")
    }
  }

  /// Lets a listening address be bound again while old connections fade out.
  package static func setReuseAddress(_ descriptor: Int32) throws(SystemError) {
    try setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
  }

  /// Keeps an IPv6 listener from also taking the IPv4 port.
  package static func setIPv6Only(_ descriptor: Int32) throws(SystemError) {
    try setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1)
  }

  /// Makes closing send a reset and drop unsent bytes.
  package static func setResetOnClose(_ descriptor: Int32) throws(SystemError) {
    var value = linger(l_onoff: 1, l_linger: 0)
    _ = try retrying("setsockopt") {
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }
  }

  /// Sizes in bytes of the kernel's buffers for a socket.
  package static func setBuffers(_ descriptor: Int32, sending: Int32?, receiving: Int32?) throws(SystemError)
  {
    if let sending { try setOption(descriptor, SOL_SOCKET, SO_SNDBUF, sending) }
    if let receiving { try setOption(descriptor, SOL_SOCKET, SO_RCVBUF, receiving) }
  }

  /// Sets the number of bytes that must have arrived before a poller reports them; the end of the stream is reported at any time.
  package static func setReceiveLowWater(_ descriptor: Int32, _ count: Int32) throws(SystemError) {
    try setOption(descriptor, SOL_SOCKET, SO_RCVLOWAT, count)
  }

  private static func setOption(_ descriptor: Int32, _ level: CInt, _ name: CInt, _ setting: Int32)
    throws(SystemError)
  {
    var value = setting
    _ = try retrying("setsockopt") {
      setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}

extension Syscall {
  /// The number of sent bytes not yet acknowledged by the peer's kernel (tcp(7), `SIOCOUTQ`); of a Unix-domain
  /// socket, about how many the peer has not yet received. Nil where the kernel does not say.
  package static func unacknowledged(_ descriptor: Int32) -> Int? {
    var count: Int32 = 0
    guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return nil }
    return Int(count)
  }
}

// MARK: - Polling

extension Syscall {
  static func epollCreate() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try retrying("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) })
  }

  static func eventDescriptor() throws(SystemError) -> FileDescriptor {
    let flags = CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK)
    return FileDescriptor(owning: try retrying("eventfd") { eventfd(0, flags) })
  }

  /// Adds one to an event descriptor's counter.
  static func signal(eventDescriptor: Int32) {
    var one: UInt64 = 1
    // Fails only when the counter is full, in which case the reader is signalled already.
    _ = try? retrying("write") { write(eventDescriptor, &one, MemoryLayout<UInt64>.size) }
  }

  /// Watches a descriptor in both directions, edge-triggered, once for its whole life.
  static func epollAdd(_ poller: Int32, _ descriptor: Int32, events: UInt32, userData: UInt64)
    throws(SystemError)
  {
    var event = epoll_event()
    event.events = events
    event.data.u64 = userData
    _ = try retrying("epoll_ctl") { epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) }
  }

  static func epollDelete(_ poller: Int32, _ descriptor: Int32) throws(SystemError) {
    var ignored = epoll_event()
    _ = try retrying("epoll_ctl") { epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, &ignored) }
  }

  /// Waits for events. Returns the number written to `events`. An interruption counts as no event: the time-out was for this call.
  static func epollWait(
    _ poller: Int32, _ events: UnsafeMutableBufferPointer<epoll_event>, milliseconds: Int32
  ) throws(SystemError) -> Int {
    let count = epoll_wait(poller, events.baseAddress, CInt(clamping: events.count), milliseconds)
    if count >= 0 { return Int(count) }
    let number = errno
    if number == EINTR { return 0 }
    throw SystemError(errno: number, call: "epoll_wait")
  }
}

// MARK: - The rest

extension Syscall {
  /// The number of descriptors the process may have open at once (the soft limit).
  package static func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  /// Whether no more than `count` descriptors are left of `limit`: the kernel gives the lowest that is free.
  package static func hasFewDescriptors(_ count: Int, of limit: Int) -> Bool {
    let next = eventfd(0, CInt(EFD_CLOEXEC))
    guard next >= 0 else { return true }
    defer { close(next) }
    return Int(next) >= limit - count
  }

  /// A small file as a whole.
  static func contents(ofFile path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = FileDescriptor(
      owning: try retrying("open") { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) })
    var contents: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 16 * 1024)
    while contents.count < limit {
      let count = try retrying("read") { read(file.rawValue, &page, page.count) }
      guard count > 0 else { break }
      contents += page[..<count]
    }
    return contents
  }

  /// Linux frees the number even when `close` reports an interruption, so it is never called twice.
  static func close(_ descriptor: Int32) {
    _ = BluebonnetLibc.close(descriptor)
  }

  /// The number of bytes that the kernel gave (getrandom(2)).
  static func random(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    getrandom(buffer.baseAddress, buffer.count, 0)
  }

  /// By the wall clock.
  static func secondsSince1970() -> Double {
    var time = timespec()
    _ = clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    // Cannot fail: the clock exists on every Linux, and the pointer is ours.
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
