// SPDX-License-Identifier: MIT
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
  /// The refusal of these settings, if they cannot be honoured.
  var impossibleConnection: RefusedSetting? {
    if let wrong = connectionAddresses.first(where: { SocketAddress(literal: $0, port: 1) == nil }) {
      return RefusedSetting(
        "URLSessionConfiguration.connectionAddresses", "contains \"\(wrong)\", which is not an IP address",
        instead: "set it to IPv4 or IPv6 addresses without brackets")
    }
    if let wrong = localAddress, SocketAddress(literal: wrong, port: 1) == nil {
      return RefusedSetting(
        "URLSessionConfiguration.localAddress", "is \"\(wrong)\", which is not an IP address",
        instead: "set it to one of this machine's")
    }
    return nil
  }
}

extension ConnectRules {
  init(_ settings: URLSessionConfiguration.Settings) {
    self.init()
    place = settings.connectionEndpoint.map { Place(host: $0.host, port: UInt16(clamping: $0.port)) }
    addresses = settings.connectionAddresses
    family =
      switch settings.addressFamily {
      case .any: .any
      case .ipv4: .ipv4
      case .ipv6: .ipv6
      }
    avoidsPrivateAddresses = settings.avoidsPrivateAddresses
    networkInterface = settings.networkInterface
    localAddress = settings.localAddress
    localPorts = settings.localPorts.map { UInt16(clamping: $0.lowerBound)...UInt16(clamping: $0.upperBound) }
    keepAlive = settings.keepAliveInterval.map { Int32(clamping: $0) }
  }
}
