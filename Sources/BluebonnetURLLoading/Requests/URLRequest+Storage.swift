// SPDX-License-Identifier: MIT
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
    var timeoutInterval: TimeInterval?
    var rules = Rules()
    /// The target in the request line in place of the URL's path and query.
    var target: String?
    var rawOptions: RawRequestOptions?
    /// The values attached by `URLProtocol.setProperty(_:forKey:in:)`; no part of equality.
    var properties: [String: Any] = [:]

    /// Something was set that cannot be kept.
    var hasUnsupportedOption: Bool {
      rules.requiresDNSSECValidation || rules.cookiePartitionIdentifier != nil
    }

    /// The member that cannot be kept.
    var unsupportedOption: RefusedSetting? {
      if rules.requiresDNSSECValidation { return .validatedNames(of: "URLRequest") }
      return rules.cookiePartitionIdentifier == nil ? nil : .cookiePartition
    }

    init(url: URL?) { self.url = url }

    init(copying other: Storage) {
      url = other.url
      method = other.method
      fields = other.fields
      body = other.body
      bodyStream = other.bodyStream
      timeoutInterval = other.timeoutInterval
      rules = other.rules
      target = other.target
      rawOptions = other.rawOptions
      properties = other.properties
    }
  }

  /// The rules of a load that are compared as they are.
  struct Rules: Sendable, Equatable {
    var cachePolicy = CachePolicy.useProtocolCachePolicy
    var mainDocumentURL: URL?
    var networkServiceType = NetworkServiceType.default
    var attribution = Attribution.developer
    var cookiePartitionIdentifier: String?
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var allowsPersistentDNS = false
    var assumesHTTP3Capable = false
    var requiresDNSSECValidation = false
    var handlesCookies = true
    var usesPipelining = false
  }
}
