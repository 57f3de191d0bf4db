// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// Unchecked: constants; the user info is a dictionary that is never changed.
/// A response with its body, as a cache keeps it.
public final class CachedURLResponse: @unchecked Sendable, Hashable {
  /// The response's status and fields.
  public let response: URLResponse
  /// The response's body, with its content coding undone.
  public let data: Data
  /// Data for the delegate to find again. Kept in memory only.
  public let userInfo: [AnyHashable: Any]?
  /// The places where the response may be kept; `.notAllowed` keeps it out of the cache.
  public let storagePolicy: StoragePolicy

  /// Makes an entry that may be kept anywhere.
  public convenience init(response: URLResponse, data: Data) {
    self.init(response: response, data: data, userInfo: nil, storagePolicy: .allowed)
  }

  /// Makes an entry for a cache.
  ///
  /// - Parameters:
  ///   - response: The response's status and fields.
  ///   - data: Its body.
  ///   - userInfo: Whatever is wanted with it later; `nil` by default.
  ///   - storagePolicy: Where it may be kept.
  public init(
    response: URLResponse, data: Data, userInfo: [AnyHashable: Any]? = nil,
    storagePolicy: StoragePolicy
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

  /// Hashes the response and the body.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(response)
    hasher.combine(data)
  }

  /// The places where a response may be kept.
  public enum StoragePolicy: UInt, Sendable, Hashable {
    /// In memory, and on disk or in the cache's store.
    case allowed = 0
    /// In memory only.
    case allowedInMemoryOnly = 1
    /// Nowhere.
    case notAllowed = 2
  }
}
