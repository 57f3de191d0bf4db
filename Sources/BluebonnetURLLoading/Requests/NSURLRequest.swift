// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation

  // Unchecked: `storage` is written only by the mutable subclass. Its owner keeps it to one thread, as with every
  // mutable class of Foundation.
  /// A request as a class, for code that was written for one.
  open class NSURLRequest: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    var request: URLRequest

    /// Wraps a request, in its present state.
    public required init(_ request: URLRequest) { self.request = request }

    /// Wraps a request that loads `url` with all defaults.
    public convenience init(url: URL) { self.init(URLRequest(url: url)) }

    /// The names under which a class knows the rules.
    public typealias CachePolicy = URLRequest.CachePolicy
    /// The names under which a class knows the kinds of loads.
    public typealias NetworkServiceType = URLRequest.NetworkServiceType

    /// The address to load.
    public var url: URL? { request.url }
    /// The request method; `GET` where none was set.
    public var httpMethod: String? { request.httpMethod }
    /// All header fields that were set, by name.
    public var allHTTPHeaderFields: [String: String]? { request.allHTTPHeaderFields }
    /// The body; `nil` for none.
    public var httpBody: Data? { request.httpBody }
    /// Seconds without progress after which the load fails.
    public var timeoutInterval: TimeInterval { request.timeoutInterval }
    /// The use of stored responses for the load.
    public var cachePolicy: CachePolicy { request.cachePolicy }

    /// The value of a field, whatever the case of its name.
    public func value(forHTTPHeaderField field: String) -> String? {
      request.value(forHTTPHeaderField: field)
    }

    /// A copy that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any { NSURLRequest(request) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableURLRequest(request) }

    /// Whether the other is a request with the same contents.
    open override func isEqual(_ object: Any?) -> Bool { (object as? NSURLRequest)?.request == request }

    /// The hash of the contents.
    open override var hash: Int { request.hashValue }
  }
#endif
