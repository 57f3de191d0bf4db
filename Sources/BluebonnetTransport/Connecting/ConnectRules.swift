// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc

/// Rules for making and connecting sockets, besides the resolver's and the kernel's own.
package struct ConnectRules: Sendable, Hashable {
  /// The families of addresses to connect to.
  package enum Family: Sendable, Hashable {
    case any
    case ipv4
    case ipv6
  }

  /// A host and a port in the place of the origin's; proxies stay what they are.
  package struct Place: Sendable, Hashable {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  package var place: Place?
  /// The addresses to connect to, as literals, whatever the name is; it is not looked up. Empty for a lookup.
  package var addresses: [String] = []
  package var family = Family.any
  /// Only addresses of the Internet are connected to, whatever a name's are. A proxy may be anywhere: the caller has named it.
  package var avoidsPrivateAddresses = false
  /// The network interface that everything goes through.
  package var networkInterface: String?
  /// This end's address, as a literal.
  package var localAddress: String?
  /// This end's ports.
  package var localPorts: ClosedRange<UInt16>?
  /// Seconds of silence after which the kernel asks whether the peer is still there, and between one question and the next
  /// (RFC 9293 §3.8.4).
  package var keepAlive: Int32?

  package init() {}

  /// Whether there is anything in it.
  package var isEmpty: Bool { self == ConnectRules() }

  /// The same for a connection to a proxy.
  func forProxy() -> ConnectRules {
    var rules = self
    rules.avoidsPrivateAddresses = false
    return rules
  }

  /// The addresses of those that may be used.
  func allowed(_ addresses: [SocketAddress]) -> [SocketAddress] {
    let addresses = avoidsPrivateAddresses ? addresses.filter(\.isGlobal) : addresses
    return switch family {
    case .any: addresses
    case .ipv4: addresses.filter { $0.family == .ipv4 }
    case .ipv6: addresses.filter { $0.family == .ipv6 }
    }
  }

  /// Gives a socket what it needs before it is connected.
  func prepare(_ descriptor: Int32, for peer: SocketAddress) throws(SystemError) {
    guard peer.family != .unix else { return }
    if let keepAlive { try Syscall.setKeepAlive(descriptor, seconds: keepAlive) }
    if let networkInterface { try Syscall.bind(descriptor, toInterface: networkInterface) }
    guard localAddress != nil || localPorts != nil else { return }
    let any = peer.family == .ipv4 ? "0.0.0.0" : "::"
    guard let local = SocketAddress(literal: localAddress ?? any, port: 0), local.family == peer.family else {
      throw SystemError(errno: EADDRNOTAVAIL, call: "bind")
    }
    guard let localPorts else { return try Syscall.bind(descriptor, to: local) }
    var failure = SystemError(errno: EADDRINUSE, call: "bind")
    for port in localPorts {
      var address = local
      address.port = port
      do throws(SystemError) {
        return try Syscall.bind(descriptor, to: address)
      } catch {
        failure = error
        guard error.errno == EADDRINUSE || error.errno == EACCES else { break }
      }
    }
    throw failure
  }
}
