// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetEventLoop

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

  /// What the C library takes for a number (inet_aton(3)), too.
  @Test(arguments: ["127.1", "0x7f.1", "2130706433", "0x7f000001", "127.0.0.1."])
  func numbersNeedNoLookup(host: String) {
    #expect(NameLookup.immediateAddresses(of: host, port: 80) == [.loopback(port: 80)])
  }

  @Test(arguments: ["1a.example", "1.2.3.4.5", "3com", "127.0.0.1.example.com"])
  func namesWithDigitsAreNames(host: String) {
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
      let answer = Box<NameResolver.Answer?>(nil)
      let done = Signal()
      let resolver = NameResolver(local: { _ in nil }, resolver: { _ in .success([.loopback(port: 0)]) })
      loop.execute {
        _ = resolver.resolve(host: "a.test", port: 81, on: loop) {
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
      let answer = Box<NameResolver.Answer?>(nil)
      let done = Signal()
      let resolver = NameResolver()
      loop.execute {
        _ = resolver.resolve(host: "no-such-host.invalid", port: 80, on: loop) {
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

    /// A cancelled lookup is not answered, be it asked or still waiting; the others share one answer.
    @Test func cancelledLookupIsSilent() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let release = Signal()
      let asked = Signal()
      let answered = Box<Set<Int>>([])
      let done = Signal()
      let resolver = NameResolver(
        local: { _ in nil },
        resolver: { _ in
          asked.raise()
          _ = release.wait()
          return .success([.loopback(port: 0)])
        })
      // Not released before all have asked: who comes behind the answer asks anew.
      loop.withLoop {
        var lookups: [NameLookup] = []
        for number in 0..<20 {
          lookups.append(
            resolver.resolve(host: number < 10 ? "slow.test" : "SLOW.test", port: 1, on: loop) { _ in
              answered.value.insert(number)
              done.raise()
            })
        }
        for number in stride(from: 0, to: 20, by: 2) { lookups[number].cancel() }
      }
      #expect(asked.wait())
      release.raise()
      #expect(done.wait(for: 10))
      #expect(loop.withLoop { answered.value } == Set(stride(from: 1, to: 20, by: 2)))
      #expect(!asked.wait(for: 2, seconds: 0), "they are joined")
    }

    /// Names that nobody answers for, as many as there are places and many more of them.
    @Test func namesOfTheHostsFileDoNotWaitForDeadOnes() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let release = Signal()
      let done = Signal()
      let resolver = NameResolver(
        limit: 2, local: { $0 == "here.test" ? [.loopback(port: 0)] : nil },
        resolver: { host in
          _ = release.wait()
          return .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0))
        })
      let dead = loop.withLoop {
        (0..<12).map { resolver.resolve(host: "dead\($0).test", port: 1, on: loop) { _ in } }
      }
      for round in 1...100 {
        loop.execute {
          _ = resolver.resolve(host: "here.test", port: 7, on: loop) {
            #expect($0 == .success([.loopback(port: 7)]))
            done.raise()
          }
        }
        #expect(done.wait(for: round))
      }
      loop.withLoop { dead.forEach { $0.cancel() } }
      #expect(resolver.threads.asked == resolver.threads.abandoned, "the resolver cannot be called back")
      release.raise()
      #expect(idle(resolver))
    }

    /// The place of a name whose requests have all ended is free at once, though the resolver goes on.
    @Test func aLookupThatNobodyWaitsForFreesItsPlace() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let release = Signal()
      let asked = Signal()
      let done = Signal()
      let resolver = NameResolver(
        limit: 2, local: { _ in nil },
        resolver: { host in
          if host == "good.test" { return .success([.loopback(port: 0)]) }
          asked.raise()
          _ = release.wait()
          return .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0))
        })
      let dead = loop.withLoop {
        (0..<2).map { resolver.resolve(host: "dead\($0).test", port: 1, on: loop) { _ in } }
      }
      #expect(asked.wait(for: 2))
      loop.execute {
        _ = resolver.resolve(host: "good.test", port: 1, on: loop) { _ in done.raise() }
      }
      #expect(!done.wait(seconds: 0), "both places are taken")
      loop.withLoop { dead[0].cancel() }
      #expect(done.wait())
      loop.withLoop { dead[1].cancel() }
      release.raise()
      #expect(idle(resolver))
    }

    /// However often dead names are given up and asked for again.
    @Test func threadsDoNotPileUp() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let release = Signal()
      let resolver = NameResolver(
        limit: 2, local: { _ in nil },
        resolver: { host in
          _ = release.wait()
          return .failure(LookupFailure(host: host, code: EAI_AGAIN, errno: 0))
        })
      for round in 0..<200 {
        let lookup = loop.withLoop {
          resolver.resolve(host: "dead\(round % 50).test", port: 1, on: loop) { _ in }
        }
        if round % 3 == 0 { Pause.take(microseconds: 500) }
        loop.withLoop { lookup.cancel() }
        #expect(resolver.threads.asked <= 8)
      }
      release.raise()
      #expect(idle(resolver))
    }

    /// Many names, threads and cancellations: everybody who did not give up hears once.
    @Test func everybodyIsAnswered() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      var random = SeededGenerator(seed: 7)
      let resolver = NameResolver(
        limit: 3, local: { $0.hasPrefix("1") ? [.loopback(port: 0)] : nil },
        resolver: { _ in
          Pause.take(microseconds: 200)
          return .success([.loopback(port: 0)])
        })
      let answers = Box([Int](repeating: 0, count: 2000))
      let done = Signal()
      var expected = 0
      for number in 0..<2000 {
        let name = "\(Int.random(in: 0..<40, using: &random)).test"
        let isGivenUp = Int.random(in: 0..<4, using: &random) == 0
        if !isGivenUp { expected += 1 }
        loop.withLoop {
          let lookup = resolver.resolve(host: name, port: 1, on: loop) { _ in
            answers.value[number] += 1
            done.raise()
          }
          if isGivenUp { lookup.cancel() }
        }
      }
      #expect(done.wait(for: expected))
      #expect(idle(resolver))
      loop.withLoop { #expect(answers.value.allSatisfy { $0 <= 1 }) }
      #expect(!done.wait(for: expected + 1, seconds: 0))
    }

    private func idle(_ resolver: NameResolver) -> Bool { Eventually.block { resolver.isIdle } }
  }
}
