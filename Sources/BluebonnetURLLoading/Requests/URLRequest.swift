// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// A load to be made: a URL, a method, header fields, a body and the rules for loading it.
///
/// A value that is copied when written; passing it on costs one reference count.
public struct URLRequest: Sendable {
  var storage: Storage

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - url: The address to load.
  ///   - cachePolicy: How a stored response may stand in for the load; as the rules of HTTP say, by default.
  ///   - timeoutInterval: Seconds without progress after which the load fails; 60 by default.
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60
  ) {
    storage = Storage(url: url)
    storage.rules.cachePolicy = cachePolicy
    // The default is no statement: a session's own setting goes before it.
    if timeoutInterval != 60 { storage.timeoutInterval = timeoutInterval }
  }

  /// The storage, copied first unless it is unique.
  var writable: Storage {
    mutating get {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
      return storage
    }
  }

  /// The address to load; a load without one fails with `URLError.badURL`.
  public var url: URL? {
    get { storage.url }
    set {
      let storage = writable
      storage.url = newValue
      storage.target = nil
    }
  }

  /// The request method; `nil` means GET again.
  ///
  /// Methods are case-sensitive (RFC 9110 §9.1), but `get`, `head`, `post`, `put`, `delete` and `connect` become upper case here,
  /// as in Foundation.
  public var httpMethod: String? {
    get { storage.method }
    set { writable.method = newValue.map(Self.usualSpelling) ?? "GET" }
  }

  private static let usualMethods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]

  private static func usualSpelling(of method: String) -> String {
    // Nearly all come in upper case.
    guard method.utf8.contains(where: { 0x61...0x7A ~= $0 }) else { return method }
    return usualMethods.first { $0.equalsIgnoringASCIICase(method) } ?? method
  }

  /// The body as one piece of memory. Setting it drops a stream.
  public var httpBody: Data? {
    get { storage.body }
    set {
      let storage = writable
      storage.body = newValue
      if newValue != nil { storage.bodyStream = nil }
    }
  }

  /// The body as a stream that is read once. Setting it drops an in-memory body.
  public var httpBodyStream: InputStream? {
    get { storage.bodyStream }
    set {
      let storage = writable
      storage.bodyStream = newValue
      if newValue != nil { storage.body = nil }
    }
  }
}

extension URLRequest {
  /// All header fields as a dictionary; the order of the fields is not visible here, but is kept on the wire.
  public var allHTTPHeaderFields: [String: String]? {
    get { storage.fields.dictionary }
    set { writable.fields = HeaderFields(newValue ?? [:]) }
  }

  /// The value of a field, whatever the case of its name.
  public func value(forHTTPHeaderField field: String) -> String? {
    headerFields[field]
  }

  /// Replaces the value of a field, or removes the field with `nil`.
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
    changeFields { $0[field] = value }
  }

  /// Appends to the value of a field, with a comma if there was one.
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
    changeFields { $0.add(name: field, value: value) }
  }

  // Taken out while they are changed: where no access to a member lasts, the compiler proves exclusivity by itself, and
  // readers need not ask the runtime each time.
  private mutating func changeFields(_ change: (inout HeaderFields) -> Void) {
    let storage = writable
    var fields = storage.fields
    storage.fields = HeaderFields()
    change(&fields)
    storage.fields = fields
  }

  /// The fields in the order in which they are sent.
  package var headerFields: HeaderFields {
    get { storage.fields }
    set { writable.fields = newValue }
  }
}

extension URLRequest: Hashable {
  /// Requests are equal if they would be loaded alike.
  public static func == (left: URLRequest, right: URLRequest) -> Bool {
    let a = left.storage
    let b = right.storage
    return a === b
      || a.url == b.url && a.method == b.method && a.fields == b.fields && a.body == b.body
        && a.bodyStream === b.bodyStream && a.rules == b.rules && a.target == b.target
        && (a.timeoutInterval ?? 60) == (b.timeoutInterval ?? 60)
  }

  /// Feeds the parts that differ most often.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.url)
    hasher.combine(storage.method)
  }
}

extension URLRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address, without the name and the password that may stand before its host.
  public var description: String { url?.shownWithQuery ?? "url: nil" }

  /// The same text as `description`.
  public var debugDescription: String { description }

  /// The members that people look for in a debugger.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": url as Any, "httpMethod": httpMethod as Any, "allHTTPHeaderFields": allHTTPHeaderFields as Any,
        "httpBody": httpBody as Any, "cachePolicy": cachePolicy, "timeoutInterval": timeoutInterval,
      ], displayStyle: .struct)
  }
}

#if Foundation
  /// Lets `request as NSURLRequest` and back compile and work.
  extension URLRequest: _ObjectiveCBridgeable {
    /// Wraps the request in an object, as Swift's `as` does.
    public func _bridgeToObjectiveC() -> NSURLRequest { NSURLRequest(self) }

    /// Takes the request out of its object, as Swift's `as!` does.
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {
      result = source.request
    }

    /// Takes the request out of its object, as Swift's `as?` does.
    public static func _conditionallyBridgeFromObjectiveC(
      _ source: NSURLRequest, result: inout URLRequest?
    ) -> Bool {
      result = source.request
      return true
    }

    /// Takes the request out of its object; without one, a request for an empty path.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest {
      source?.request ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
  }
#endif
