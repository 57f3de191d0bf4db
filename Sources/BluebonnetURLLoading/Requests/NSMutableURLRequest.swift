// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation

  // Unchecked: see NSURLRequest.
  /// A request as a class that can be changed.
  open class NSMutableURLRequest: NSURLRequest, @unchecked Sendable {
    /// The address to load. May be set.
    public override var url: URL? {
      get { request.url }
      set { request.url = newValue }
    }

    /// The request method; `GET` where none was set. May be set.
    public override var httpMethod: String? {
      get { request.httpMethod }
      set { request.httpMethod = newValue }
    }

    /// All header fields that were set, by name. May be set.
    public override var allHTTPHeaderFields: [String: String]? {
      get { request.allHTTPHeaderFields }
      set { request.allHTTPHeaderFields = newValue }
    }

    /// The body; `nil` for none. May be set.
    public override var httpBody: Data? {
      get { request.httpBody }
      set { request.httpBody = newValue }
    }

    /// Seconds without progress after which the load fails.
    public override var timeoutInterval: TimeInterval {
      get { request.timeoutInterval }
      set { request.timeoutInterval = newValue }
    }

    /// The use of stored responses for the load.
    public override var cachePolicy: CachePolicy {
      get { request.cachePolicy }
      set { request.cachePolicy = newValue }
    }

    /// Replaces the value of a field, or removes the field with `nil`.
    public func setValue(_ value: String?, forHTTPHeaderField field: String) {
      request.setValue(value, forHTTPHeaderField: field)
    }

    /// Appends to the value of a field.
    public func addValue(_ value: String, forHTTPHeaderField field: String) {
      request.addValue(value, forHTTPHeaderField: field)
    }
  }
#endif
