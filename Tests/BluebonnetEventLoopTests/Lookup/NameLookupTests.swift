import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetEventLoop

@Suite struct LookupQueueTests {
  final class Job {}

  @Test func startsAsManyThreadsAsItNeedsUpToTheLimit() {
    var queue = LookupQueue<Job>()
    let started = (0..<100).count { _ in queue.add(Job()) }
    #expect(started == LookupQueue<Job>.threadLimit)
    for _ in 0..<100 { #expect(queue.next() != nil) }
    for left in (0..<started).reversed() {
      #expect(queue.next() == nil)
      #expect(queue.threads == left)
    }
    #expect(queue.add(Job()) == true, "the threads have ended")
  }

  @Test func removedJobIsNotDone() {
    var queue = LookupQueue<Job>()
    let kept = Job()
    let removed = Job()
    _ = queue.add(removed)
    _ = queue.add(kept)
    queue.remove(removed)
    #expect(queue.next() === kept)
    #expect(queue.next() == nil)
  }

  @Test func jobsWithoutThreadsAreGivenBack() {
    var queue = LookupQueue<Job>()
    #expect(queue.add(Job()) == true)
    #expect(queue.add(Job()) == true)
    #expect(queue.threadFailed().isEmpty, "the other thread does both")
    #expect(queue.threadFailed().count == 2)
    #expect(queue.threads == 0)
  }
}

@Suite struct ImmediateAddressTests {
  private static let both: [SocketAddress] = [.loopback6(port: 80), .loopback(port: 80)]

  @Test(arguments: ["localhost", "LocalHost", "localhost.", "a.b.localhost", "x.LOCALHOST."])
  func localNamesNeedNoLookup(host: String) {
    #expect(NameLookup.immediateAddresses(of: host, port: 80) == Self.both)
  }

  @Test(arguments: ["example.com", "localhost.example.com", "notlocalhost", "local", ""])
  func otherNamesDo(host: String) {
    #expect(NameLookup.immediateAddresses(of: host, port: 80) == nil)
  }

  @Test func literalsNeedNoLookup() {
    #expect(NameLookup.immediateAddresses(of: "127.0.0.1", port: 80) == [.loopback(port: 80)])
    #expect(NameLookup.immediateAddresses(of: "::1", port: 80) == [.loopback6(port: 80)])
  }
}

extension LiveTests {
  @Suite struct NameLookupTests {
    @Test func answerArrivesInLoopContextWithThePort() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let answer = Box<NameLookup.Answer?>(nil)
      let done = Signal()
      loop.execute {
        _ = NameLookup.resolve(
          host: "a.test", port: 81, on: loop, resolver: { _ in .success([.loopback(port: 0)]) }
        ) {
          #expect(loop.isHeld)
          answer.value = $0
          done.raise()
        }
      }
      #expect(done.wait())
      #expect(answer.value == .success([.loopback(port: 81)]))
    }

    /// `.invalid` never exists (RFC 6761 §6.4). Without any DNS the resolver says "try again" instead.
    @Test func nameThatDoesNotExistIsAFailure() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let answer = Box<NameLookup.Answer?>(nil)
      let done = Signal()
      loop.execute {
        _ = NameLookup.resolve(host: "no-such-host.invalid", port: 80, on: loop) {
          answer.value = $0
          done.raise()
        }
      }
      #expect(done.wait(seconds: 60))
      guard case .failure(let failure)? = answer.value else {
        Issue.record("resolved: \(String(describing: answer.value))")
        return
      }
      #expect([EAI_NONAME, EAI_AGAIN].contains(failure.code))
      #expect(failure.host == "no-such-host.invalid")
      #expect(!failure.reason.isEmpty)
    }

    /// More slow names than threads: a cancelled one is not answered, be it asked or still waiting.
    @Test func cancelledLookupIsSilent() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let release = Signal()
      let answered = Box<Set<Int>>([])
      let done = Signal()
      loop.execute {
        var lookups: [NameLookup] = []
        for number in 0..<20 {
          lookups.append(
            NameLookup.resolve(
              host: "slow.test", port: 1, on: loop,
              resolver: { _ in
                _ = release.wait()
                return .success([.loopback(port: 0)])
              }
            ) { _ in
              answered.value.insert(number)
              done.raise()
            })
        }
        for number in stride(from: 0, to: 20, by: 2) { lookups[number].cancel() }
      }
      release.raise()
      #expect(done.wait(for: 10))
      #expect(loop.withLoop { answered.value } == Set(stride(from: 1, to: 20, by: 2)))
    }
  }
}
