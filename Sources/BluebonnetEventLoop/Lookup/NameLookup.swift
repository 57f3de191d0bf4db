// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// One request's wait for the addresses of a host.
package final class NameLookup: Sendable {
  package let host: String
  private let port: UInt16
  private let loop: EventLoop
  private let resolver: NameResolver
  private let completion: LoopConfined<Completion>

  /// Nil once it was called or is not to be called any more.
  private final class Completion {
    var call: ((NameResolver.Answer) -> Void)?

    init(_ call: @escaping (NameResolver.Answer) -> Void) {
      self.call = call
    }
  }

  init(
    host: String, port: UInt16, loop: EventLoop, resolver: NameResolver,
    completion: @escaping (NameResolver.Answer) -> Void
  ) {
    self.host = host
    self.port = port
    self.loop = loop
    self.resolver = resolver
    self.completion = LoopConfined(Completion(completion))
  }

  /// Gives up, which frees its place: the completion is not called any more. In loop context only.
  package func cancel() {
    assert(loop.isHeld)
    guard completion.value.call.take() != nil else { return }
    resolver.cancel(self)
  }

  func deliver(_ answer: NameResolver.Answer) {
    let port = port
    let answer = answer.map { addresses in
      addresses.map { address in
        var address = address
        address.port = port
        return address
      }
    }
    loop.enqueue { self.completion.value.call.take()?(answer) }
  }

  /// The addresses that are known without asking anyone: of literals, in all forms that the C library takes, and of this
  /// machine (RFC 6761 §6.3 wants `localhost` and the names below it answered without the DNS).
  package static func immediateAddresses(of host: String, port: UInt16) -> [SocketAddress]? {
    if let address = SocketAddress(literal: host, port: port) { return [address] }
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if name == "localhost" || name.hasSuffix(".localhost") {
      return [.loopback6(port: port), .loopback(port: port)]
    }
    // 127.1, 0x7f000001 and the like. No top-level domain begins with a digit.
    let last = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).last?.first ?? 0
    guard (0x30...0x39).contains(last), var address = Syscall.numericAddress(name) else { return nil }
    address.port = port
    return [address]
  }
}
