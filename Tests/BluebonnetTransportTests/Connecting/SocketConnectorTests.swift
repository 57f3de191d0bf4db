// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Glibc
import BluebonnetLocks
import Testing

@testable import BluebonnetTransport

@Suite(.serialized, .timeLimit(.minutes(5))) struct SocketConnectorTests {
  let loop = EventLoop(name: "connect-test")

  /// A listener that keeps what it accepts, and tells of each connection that ends.
  private func listen(at address: SocketAddress) throws -> Reception {
    try Reception(loop: loop, address: address)
  }

  private func connect(
    to target: ConnectTarget, within limit: Duration? = nil, resolver: NameResolver.Resolver? = nil,
    meanwhile: @escaping (SocketConnector) -> Void = { _ in }
  ) -> Report {
    Report(loop: loop, target: target, limit: limit, resolver: resolver, meanwhile: meanwhile)
  }

  @Test(arguments: ["127.0.0.1", "::1", "[::1]"])
  func connectsToALiteral(host: String) throws {
    defer { loop.stop() }
    let address = try #require(
      NameLookup.immediateAddresses(of: try InternationalHost.ascii(host), port: 0)?.first)
    // A machine without IPv6 has nothing to test here.
    guard let reception = try? listen(at: address) else {
      #expect(address.family == .ipv6)
      return
    }
    defer { reception.close() }
    let report = connect(to: .host(host, port: try #require(reception.address.port)))
    let socket = try #require(report.socket())
    let channel = try #require(socket.take() as? SocketChannel)
    defer { loop.withLoop { channel.close() } }
    #expect(socket.take() == nil)
    #expect(reception.accepted.wait())
    #expect(report.timestamps.remoteAddress == reception.address)
    #expect(try Syscall.localAddress(channel.number) == report.timestamps.localAddress)
    #expect(report.timestamps.lookupStart == nil)
    let start = try #require(report.timestamps.connectStart)
    #expect(try #require(report.timestamps.connectEnd) >= start)
    #expect(option(channel.number, CInt(IPPROTO_TCP), TCP_NODELAY) != 0)
    #expect(fcntl(channel.number, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(channel.number, F_GETFD) & FD_CLOEXEC != 0)
  }

  /// The root's dot keeps a search list out, so the resolver is asked with it; everybody else does not know it.
  @Test(arguments: [("Name.Test.", "name.test."), ("name.test", "name.test"), ("NAME。TEST。", "name.test")])
  func theRootsDotIsLookedUp(host: String, expected: String) throws {
    defer { loop.stop() }
    let asked = Locked<[String]>([])
    let report = connect(
      to: .host(host, port: 1),
      resolver: { name in
        asked.withLock { $0.append(name) }
        return .failure(LookupFailure(host: name, code: EAI_NONAME, errno: 0))
      })
    #expect(report.socket() == nil)
    #expect(asked.withLock { $0 } == [expected])
  }

  /// The listener is on IPv4 only: IPv6 is refused and IPv4 follows at once, not when the stagger is over.
  @Test func localhostFallsBackToTheOtherFamily() throws {
    defer { loop.stop() }
    let reception = try listen(at: .loopback(port: 0))
    defer { reception.close() }
    let report = Report(
      loop: loop, target: .host("localhost", port: try #require(reception.address.port)),
      stagger: .seconds(3600))
    #expect(report.socket() != nil)
    #expect(report.timestamps.remoteAddress == reception.address)
    let tried = report.timestamps.tried
    #expect(tried.map(\.address.host) == ["::1", "127.0.0.1"])
    #expect(tried.first?.error != nil && tried.last?.error == nil)
  }

  @Test func connectsToAUnixSocket() throws {
    defer { loop.stop() }
    let path = "/tmp/bluebonnet-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    let reception = try listen(at: try #require(SocketAddress(unixPath: path)))
    defer { reception.close() }
    let report = connect(to: .unixPath(path))
    #expect(report.socket() != nil)
    #expect(reception.accepted.wait())
    #expect(report.timestamps.remoteAddress?.description == path)
  }

  /// The kernel gives no sign when the queue of a Unix-domain listener has room again.
  @Test func waitsForRoomInAUnixListenersQueue() throws {
    defer { loop.stop() }
    let path = "/tmp/bluebonnet-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    let crowd = try Crowd(at: try #require(SocketAddress(unixPath: path)))
    let early = connect(to: .unixPath(path), within: .milliseconds(40))
    #expect(early.error() == .timedOut(.connecting))
    let late = connect(to: .unixPath(path))
    crowd.letIn()
    #expect(late.socket() != nil)
  }

  @Test(arguments: [ConnectTarget.host("127.0.0.1", port: 1), .host("localhost", port: 1)])
  func refusedIsTold(target: ConnectTarget) throws {
    defer { loop.stop() }
    let report = connect(to: target)
    let error = try #require(report.error())
    #expect(error.isRefused, "\(error)")
    #expect(report.timestamps.connectEnd == nil)
    let tried = report.timestamps.tried
    #expect(tried.last?.address == .loopback(port: 1) && tried.last?.error?.errno == ECONNREFUSED)
    #expect(!tried.contains { $0.error == nil })
  }

  @Test func missingUnixSocketIsTold() throws {
    defer { loop.stop() }
    guard case .failed(let error, _)? = connect(to: .unixPath("/tmp/no/such/socket")).error() else {
      Issue.record("not failed")
      return
    }
    #expect(error.errno == ENOENT)
  }

  @Test(arguments: [
    (ConnectTarget.host("a b", port: 1), InvalidHost.forbiddenCodePoint(0x20)),
    (.host("", port: 1), .empty),
    (.unixPath(""), .unusablePath),
    (.unixPath(String(repeating: "x", count: 200)), .unusablePath),
  ])
  func invalidTargetIsTold(target: ConnectTarget, reason: InvalidHost) {
    defer { loop.stop() }
    #expect(connect(to: target).error() == .invalidTarget(reason))
  }

  @Test func unresolvedNameIsTold() throws {
    defer { loop.stop() }
    let failure = LookupFailure(host: "a.test", code: EAI_NONAME, errno: 0)
    let report = connect(to: .host("a.test", port: 1), resolver: { _ in .failure(failure) })
    #expect(report.error() == .unresolved(failure))
    #expect(report.timestamps.lookupStart != nil)
    #expect(report.timestamps.lookupEnd != nil)
    #expect(report.timestamps.connectStart == nil)
  }

  @Test func internationalNameIsResolvedInItsASCIIForm() throws {
    defer { loop.stop() }
    let reception = try listen(at: .loopback(port: 0))
    defer { reception.close() }
    let report = connect(
      to: .host("b%C3%BCcher.test", port: try #require(reception.address.port)),
      resolver: { host in
        host == "xn--bcher-kva.test"
          ? .success([.loopback(port: 0)]) : .failure(LookupFailure(host: host, code: EAI_FAIL, errno: 0))
      })
    #expect(report.socket() != nil)
  }

  @Test func slowLookupTimesOutInItsPhase() {
    defer { loop.stop() }
    let release = Signal()
    let report = connect(
      to: .host("slow.test", port: 1), within: .milliseconds(20),
      resolver: { host in
        _ = release.wait()
        return .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0))
      })
    #expect(report.error() == .timedOut(.resolving))
    release.raise()
  }

  @Test func silentPeerTimesOutInItsPhase() throws {
    defer { loop.stop() }
    let crowd = try Crowd(at: .loopback(port: 0))
    let start = MonotonicTime.now()
    let report = connect(
      to: .host("127.0.0.1", port: try #require(crowd.address.port)), within: .milliseconds(60))
    #expect(report.error() == .timedOut(.connecting))
    #expect(MonotonicTime.now().since(start) >= .milliseconds(60))
    #expect(report.openAttempts == 0)
    // It has not answered, and it has not failed.
    #expect(report.timestamps.tried == [TriedAddress(crowd.address)])
  }

  /// The favourite address does not answer; the other one gets its chance after the stagger and wins.
  @Test func silentFavouriteIsOvertaken() throws {
    defer { loop.stop() }
    let crowd = try Crowd(at: .loopback(port: 0))
    let port = try #require(crowd.address.port)
    guard let reception = try? listen(at: .loopback6(port: port)) else { return }
    defer { reception.close() }
    let start = MonotonicTime.now()
    let report = connect(
      to: .host("two.test", port: port),
      resolver: { _ in .success([.loopback(port: 0), .loopback6(port: 0)]) })
    #expect(report.socket() != nil)
    #expect(report.timestamps.remoteAddress == reception.address)
    #expect(MonotonicTime.now().since(start) >= .milliseconds(249))
    #expect(report.openAttempts == 0)
    #expect(report.timestamps.tried == [TriedAddress(crowd.address), TriedAddress(reception.address)])
  }

  @Test func cancelsInTheLookup() {
    defer { loop.stop() }
    let release = Signal()
    let report = connect(
      to: .host("slow.test", port: 1),
      resolver: { _ in
        _ = release.wait()
        return .success([.loopback(port: 0)])
      },
      meanwhile: { $0.cancel() })
    #expect(report.error() == .cancelled)
    release.raise()
    loop.withLoop {}
    #expect(report.completions == 1)
  }

  @Test func cancelsWhileConnecting() throws {
    defer { loop.stop() }
    let crowd = try Crowd(at: .loopback(port: 0))
    let report = connect(
      to: .host("127.0.0.1", port: try #require(crowd.address.port)), meanwhile: { $0.cancel() })
    #expect(report.error() == .cancelled)
    #expect(report.openAttempts == 0)
    #expect(report.completions == 1)
  }

  @Test func cancellingAfterwardsChangesNothing() throws {
    defer { loop.stop() }
    let reception = try listen(at: .loopback(port: 0))
    defer { reception.close() }
    let report = connect(to: .host("127.0.0.1", port: try #require(reception.address.port)))
    #expect(report.socket() != nil)
    report.cancel()
    loop.withLoop {}
    #expect(report.completions == 1)
  }

  /// A connection that nobody takes is closed, and so are all the others by their owners.
  @Test func nothingStaysOpen() throws {
    defer { loop.stop() }
    let reception = try listen(at: .loopback(port: 0))
    defer { reception.close() }
    let port = try #require(reception.address.port)
    for _ in 0..<20 {
      let report = connect(to: .host("localhost", port: port))
      #expect(report.socket() != nil)
    }
    #expect(reception.ended.wait(for: 20))
  }

  /// Every way in which connecting can end, in a process of its own whose descriptors can be counted.
  @Test func leavesNoDescriptorBehind() async {
    await #expect(processExitsWith: .success) {
      let loop = EventLoop(name: "connect-test")
      let reception = try Reception(loop: loop, address: .loopback(port: 0))
      let crowd = try Crowd(at: .loopback(port: 0))
      let port = reception.address.port ?? 0
      let silent = ConnectTarget.host("127.0.0.1", port: crowd.address.port ?? 0)
      let before = openDescriptors()
      for round in 1...descriptorRounds {
        #expect(Report(loop: loop, target: .host("localhost", port: port)).socket() != nil)
        #expect(Report(loop: loop, target: .host("localhost", port: 1)).error()?.isRefused == true)
        #expect(Report(loop: loop, target: silent, limit: .milliseconds(5)).error() == .timedOut(.connecting))
        #expect(Report(loop: loop, target: silent, meanwhile: { $0.cancel() }).error() == .cancelled)
        #expect(reception.ended.wait(for: round))
      }
      #expect(openDescriptors() < before + descriptorRounds)
      reception.close()
      loop.stop()
    }
  }

  private func option(_ descriptor: Int32, _ level: CInt, _ name: CInt) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, level, name, &value, &length)
    return value
  }
}
