// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Synchronization

/// Credentials by protection space, kept in memory. May be used from any thread.
public final class URLCredentialStorage: Sendable {
  private struct Space {
    var credentials: [String: URLCredential] = [:]
    var defaultUser: String?
  }

  private let spaces = Locked<[URLProtectionSpace: Space]>([:])
  private let hasHeldIdentities = Atomic(false)

  /// The storage of `URLSessionConfiguration.default`, shared by the whole process.
  public static let shared = URLCredentialStorage()

  /// Makes an empty storage.
  public init() {}

  /// The credentials of a space by user name; those of a certificate by its subject and serial number.
  public func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
    spaces.withLock { $0[space]?.credentials }
  }

  /// All credentials, by protection space and name.
  public var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
    spaces.withLock { $0.mapValues(\.credentials) }
  }

  /// Whether there may be client certificates among them.
  var holdsIdentities: Bool { hasHeldIdentities.load(ordering: .acquiring) }

  /// Keeps a credential unless it is not to be kept.
  public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
    keep(credential, for: space, isFirst: false)
  }

  /// Removes a credential, if it is stored for this space.
  public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
    guard let user = credential.storedName else { return }
    spaces.withLock { spaces in
      guard var found = spaces[space], found.credentials[user] == credential else { return }
      found.credentials[user] = nil
      if found.defaultUser == user { found.defaultUser = nil }
      spaces[space] = found.credentials.isEmpty ? nil : found
    }
  }

  /// Forgets a credential; there are no other devices to remove it from.
  public func remove(
    _ credential: URLCredential, for space: URLProtectionSpace, options: [String: AnyObject]?
  ) {
    remove(credential, for: space)
  }

  /// The credential to try first: the one that was set as such, or the only one.
  public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
    spaces.withLock { spaces in
      guard let found = spaces[space] else { return nil }
      if let user = found.defaultUser { return found.credentials[user] }
      return found.credentials.count == 1 ? found.credentials.values.first : nil
    }
  }

  /// Keeps a credential as the one to try first.
  public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
    keep(credential, for: space, isFirst: true)
  }

  private func keep(_ credential: URLCredential, for space: URLProtectionSpace, isFirst: Bool) {
    guard credential.persistence != .none, let user = credential.storedName else { return }
    if credential.clientIdentity != nil { hasHeldIdentities.store(true, ordering: .releasing) }
    spaces.withLock { spaces in
      spaces[space, default: Space()].credentials[user] = credential
      if isFirst { spaces[space]?.defaultUser = user }
    }
  }

  func removeAll() { spaces.withLock { $0 = [:] } }
}

extension URLCredential {
  /// Its name in a storage; nil for a credential that is not stored.
  fileprivate var storedName: String? {
    user ?? clientIdentity.map { "\($0.certificate.subject), serial \($0.certificate.serialNumber)" }
  }
}
