import BluebonnetFoundation

/// The measurements of one request and its response.
public final class URLSessionTaskTransactionMetrics: Sendable {
  /// The request as it was sent.
  public let request: URLRequest
  /// The response, if its head arrived.
  public let response: URLResponse?
  /// Where the response came from.
  public let resourceFetchType: ResourceFetchType
  package let clock: ClockAnchor
  package let instants: Instants
  package let connection: Connection
  package let sizes: Sizes

  package init(
    request: URLRequest, response: URLResponse?, resourceFetchType: ResourceFetchType, clock: ClockAnchor,
    instants: Instants, connection: Connection, sizes: Sizes
  ) {
    self.request = request
    self.response = response
    self.resourceFetchType = resourceFetchType
    self.clock = clock
    self.instants = instants
    self.connection = connection
    self.sizes = sizes
  }

  /// Where a response came from.
  public enum ResourceFetchType: Int, Sendable, Hashable {
    case unknown = 0
    case networkLoad = 1
    case serverPush = 2
    case localCache = 3
  }

  /// How a name was looked up.
  public enum DomainResolutionProtocol: Int, Sendable, Hashable {
    case unknown = 0
    case udp = 1
    case tcp = 2
    case tls = 3
    case https = 4
  }
}
