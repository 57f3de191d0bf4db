import BluebonnetFoundation

// Unchecked: constants; the user info is a dictionary that nobody changes.
/// A response with its body, as a cache keeps it.
public final class CachedURLResponse: @unchecked Sendable, Hashable {
  /// The response.
  public let response: URLResponse
  /// The body.
  public let data: Data
  /// What the delegate wants to find again.
  public let userInfo: [AnyHashable: Any]?
  /// Where the response may be kept.
  public let storagePolicy: URLCache.StoragePolicy
  let date = Date()

  /// Makes an entry that may be kept anywhere.
  public convenience init(response: URLResponse, data: Data) {
    self.init(response: response, data: data, userInfo: nil, storagePolicy: .allowed)
  }

  /// Makes an entry.
  public init(
    response: URLResponse, data: Data, userInfo: [AnyHashable: Any]? = nil,
    storagePolicy: URLCache.StoragePolicy
  ) {
    self.response = response
    self.data = data
    self.userInfo = userInfo
    self.storagePolicy = storagePolicy
  }

  /// Entries are equal if response, body and policy are.
  public static func == (left: CachedURLResponse, right: CachedURLResponse) -> Bool {
    left === right
      || left.response == right.response && left.data == right.data
        && left.storagePolicy == right.storagePolicy
  }

  /// Feeds the response and the body.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(response)
    hasher.combine(data)
  }
}

extension URLCache {
  /// Where a response may be kept.
  public enum StoragePolicy: UInt, Sendable, Hashable {
    case allowed = 0
    case allowedInMemoryOnly = 1
    case notAllowed = 2
  }
}
