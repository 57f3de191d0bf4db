import BluebonnetSemantics
import BluebonnetFoundation

extension URLRequest {
  // Unchecked: written only through `URLRequest.writable`, that is while uniquely referenced.
  final class Storage: @unchecked Sendable {
    var url: URL?
    var method = "GET"
    var fields = HeaderFields()
    var body: Data?
    var bodyStream: InputStream?
    var cachePolicy = CachePolicy.useProtocolCachePolicy
    var timeoutInterval: TimeInterval?
    var mainDocumentURL: URL?
    var networkServiceType = NetworkServiceType.default
    var attribution = Attribution.developer
    var cookiePartitionIdentifier: String? { didSet { noteUnsupportedOption() } }
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var allowsPersistentDNS = false
    var assumesHTTP3Capable = false
    var requiresDNSSECValidation = false { didSet { noteUnsupportedOption() } }
    var handlesCookies = true
    var usesPipelining = false
    /// The target in the request line in place of the URL's path and query.
    var target: String?
    var rawOptions: RawRequestOptions?
    /// The values attached by `URLProtocol.setProperty(_:forKey:in:)`; no part of equality.
    var properties: [String: Any] = [:]

    /// Something was set that cannot be kept; found where it is set, so that requests are not searched for it.
    private(set) var hasUnsupportedOption = false

    private func noteUnsupportedOption() { hasUnsupportedOption = unsupportedOption != nil }

    /// The member that cannot be kept.
    var unsupportedOption: RefusedSetting? {
      if requiresDNSSECValidation { return .validatedNames(of: "URLRequest") }
      return cookiePartitionIdentifier == nil ? nil : .cookiePartition
    }

    init(url: URL?) { self.url = url }

    init(copying other: Storage) {
      url = other.url
      method = other.method
      fields = other.fields
      body = other.body
      bodyStream = other.bodyStream
      cachePolicy = other.cachePolicy
      timeoutInterval = other.timeoutInterval
      mainDocumentURL = other.mainDocumentURL
      networkServiceType = other.networkServiceType
      attribution = other.attribution
      cookiePartitionIdentifier = other.cookiePartitionIdentifier
      allowsCellularAccess = other.allowsCellularAccess
      allowsExpensiveNetworkAccess = other.allowsExpensiveNetworkAccess
      allowsConstrainedNetworkAccess = other.allowsConstrainedNetworkAccess
      allowsPersistentDNS = other.allowsPersistentDNS
      assumesHTTP3Capable = other.assumesHTTP3Capable
      requiresDNSSECValidation = other.requiresDNSSECValidation
      handlesCookies = other.handlesCookies
      usesPipelining = other.usesPipelining
      target = other.target
      rawOptions = other.rawOptions
      properties = other.properties
      hasUnsupportedOption = other.hasUnsupportedOption
    }
  }
}
