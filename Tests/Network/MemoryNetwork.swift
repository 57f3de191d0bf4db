// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTransport
import BluebonnetURLLoading
import Glibc

/// A network within the process, for what is not about sockets: ``Origin/inMemory()`` listens, and sessions of
/// ``URLSessionConfiguration/inMemory`` reach whoever does, and nobody else.
package enum MemoryNetwork {
  private struct Listener {
    weak var origin: Origin?
  }

  private struct Ports {
    var listeners: [UInt16: Listener] = [:]
    /// Another one in each run: caches that outlive it know the addresses of the last.
    var last = UInt16.random(in: 1_024..<32_768)

    /// A port at which nobody listens.
    mutating func take() -> UInt16 {
      repeat { last = last == .max ? 1_024 : last + 1 } while listeners[last]?.origin != nil
      return last
    }
  }

  private static let ports = Locked(Ports())

  fileprivate static func listen() -> Origin {
    ports.withLock { ports in
      let port = ports.take()
      let origin = Origin(inMemoryAt: port)
      ports.listeners[port] = Listener(origin: origin)
      return origin
    }
  }

  /// Connects to whoever listens at the port: all names lead to this host, but those in `.invalid`, which nobody has (RFC 6761
  /// §6.4).
  package static func dial(_ route: Route, on loop: EventLoop) -> DialOutcome {
    guard !route.host.hasSuffix(".invalid") else {
      return .failed(.unresolved(LookupFailure(host: route.host, code: EAI_NONAME, errno: 0)))
    }
    let origin = ports.withLock { $0.listeners[route.port]?.origin }
    guard !route.isSecure, let channel = origin?.connect(on: loop) else {
      return .failed(.failed(SystemError(errno: ECONNREFUSED, call: "connect"), address: nil))
    }
    return .connected(channel)
  }
}

extension Origin {
  /// An origin without a socket.
  package static func inMemory() -> Origin { MemoryNetwork.listen() }
}

extension URLSessionConfiguration {
  /// As `ephemeral`, in the network within the process.
  package static var inMemory: URLSessionConfiguration { ephemeral.inMemory() }

  /// For tests with steps that a Swift task makes, such as a body that it produces: each waits for its turn behind the tasks of all
  /// other tests, for longer than a request waits by default. The answer to `Expect` may be late as well.
  package static var patient: URLSessionConfiguration {
    let configuration = ephemeral
    configuration.timeoutIntervalForRequest = 600
    configuration.timeoutIntervalForContinue = 600
    return configuration
  }

  /// As `patient`, in the network within the process.
  package static var patientInMemory: URLSessionConfiguration { patient.inMemory() }

  /// Leads sessions into the network within the process.
  package func inMemory() -> URLSessionConfiguration {
    self.dial = MemoryNetwork.dial
    return self
  }
}

extension ConnectionPool.Configuration {
  /// For pools in the network within the process.
  package static var inMemory: Self {
    var configuration = Self(tls: TLSClientConfiguration())
    configuration.dial = MemoryNetwork.dial
    return configuration
  }
}
