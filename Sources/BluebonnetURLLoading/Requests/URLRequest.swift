// SPDX-License-Identifier: MIT
import BluebonnetFoundation

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
  public var httpMethod: String? {
    get { storage.method }
    set { writable.method = newValue ?? "GET" }
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
