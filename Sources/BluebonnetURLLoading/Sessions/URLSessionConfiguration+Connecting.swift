import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

// Where connections are made to, and from where. Apple's systems leave that to the system.
extension URLSessionConfiguration {
  /// A host and a port.
  public struct Endpoint: Sendable, Hashable {
    /// A name or an address, without brackets.
    public var host: String
    /// From 1 to 65535.
    public var port: Int

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - host: A name or an address, without brackets.
    ///   - port: From 1 to 65535.
    public init(host: String, port: Int) { (self.host, self.port) = (host, port) }
  }

  /// The addresses of a host to connect to.
  public enum AddressFamily: Sendable, Hashable {
    /// All of them.
    case any
    /// Those of IPv4.
    case ipv4
    /// Those of IPv6.
    case ipv6
  }
}

extension URLSessionConfiguration.Settings {
  /// Connects to this host and port instead of the URL's, which the `Host` field and the certificate are about all the same;
  /// `nil`, the default, for the URL's. It has no meaning for requests through a proxy.
  public var connectionEndpoint: URLSessionConfiguration.Endpoint? {
    get { connectRules.place.map { .init(host: $0.host, port: Int($0.port)) } }
    set {
      connectRules.place = newValue.map {
        ConnectRules.Place(host: $0.host, port: UInt16(clamping: $0.port))
      }
    }
  }

  /// The addresses that are connected to, whatever the host's name: it is not looked up. Empty, the default, for a lookup.
  ///
  /// Each is an IPv4 or IPv6 address without brackets; with anything else among them every request fails with a
  /// ``RefusedSetting``. With a proxy they are the proxy's.
  public var connectionAddresses: [String] {
    get { connectRules.addresses }
    set { connectRules.addresses = newValue }
  }

  /// The addresses of a host to connect to; all by default. A host that has none of these fails the request as one
  /// that cannot be found.
  public var addressFamily: URLSessionConfiguration.AddressFamily {
    get {
      switch connectRules.family {
      case .any: .any
      case .ipv4: .ipv4
      case .ipv6: .ipv6
      }
    }
    set {
      connectRules.family =
        switch newValue {
        case .any: .any
        case .ipv4: .ipv4
        case .ipv6: .ipv6
        }
    }
  }

  /// The network interface that all connections go through, by its name such as `eth0`; `nil`, the default, for whichever the
  /// routes name. One that does not exist fails the connections.
  public var networkInterface: String? {
    get { connectRules.networkInterface }
    set { connectRules.networkInterface = newValue }
  }

  /// The address that connections are made from, one of this machine's; `nil`, the default, for the one that
  /// the routes name. With text that is no address every request fails with a ``RefusedSetting``.
  public var localAddress: String? {
    get { connectRules.localAddress }
    set { connectRules.localAddress = newValue }
  }

  /// The ports that connections are made from, the first that is free; `nil`, the default, for whichever the kernel gives. From
  /// 1 to 65535.
  public var localPorts: ClosedRange<Int>? {
    get { connectRules.localPorts.map { Int($0.lowerBound)...Int($0.upperBound) } }
    set {
      connectRules.localPorts = newValue.map {
        UInt16(clamping: $0.lowerBound)...UInt16(clamping: $0.upperBound)
      }
    }
  }

  /// Seconds of silence after which the kernel asks the other end of a connection whether it is still there, and between one
  /// question and the next (RFC 9293 §3.8.4); `nil`, the default, for never. From 1 to 32767.
  public var keepAliveInterval: Int? {
    get { connectRules.keepAlive.map(Int.init) }
    set { connectRules.keepAlive = newValue.map { Int32(clamping: $0) } }
  }

  /// The refusal of these settings, if they cannot be honoured.
  var impossibleConnection: RefusedSetting? {
    let rules = connectRules
    if let wrong = rules.addresses.first(where: { SocketAddress(literal: $0, port: 1) == nil }) {
      return RefusedSetting(
        "URLSessionConfiguration.connectionAddresses", "contains \"\(wrong)\", which is not an IP address",
        instead: "set it to IPv4 or IPv6 addresses without brackets")
    }
    if let wrong = rules.localAddress, SocketAddress(literal: wrong, port: 1) == nil {
      return RefusedSetting(
        "URLSessionConfiguration.localAddress", "is \"\(wrong)\", which is not an IP address",
        instead: "set it to one of this machine's")
    }
    if let place = rules.place, place.port == 0 {
      return RefusedSetting(
        "URLSessionConfiguration.connectionEndpoint", "has no port",
        instead: "set it to something from 1 to 65535")
    }
    return nil
  }
}
