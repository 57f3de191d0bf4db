// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Synchronization

// What a storage tells the world. Names in Swift are Apple's.
extension Notification.Name {
  /// The cookies of a storage (the notification's object) have changed. Posted on a queue of its own after the
  /// change, once for several that come at a time; not before the program has read this name.
  public static var NSHTTPCookieManagerCookiesChanged: Notification.Name {
    CookieNotifications.wanted.store(true, ordering: .relaxed)
    return CookieNotifications.Kind.cookies.name
  }

  /// The accept policy of a storage (the notification's object) has changed. Posted on a queue of its own after
  /// the change; not before the program has read this name.
  public static var NSHTTPCookieManagerAcceptPolicyChanged: Notification.Name {
    CookieNotifications.wanted.store(true, ordering: .relaxed)
    return CookieNotifications.Kind.acceptPolicy.name
  }
}

/// Posts changes of storages: later and elsewhere, because changes happen in loop context, where no code of users
/// runs.
enum CookieNotifications {
  enum Kind: String, Sendable {
    case cookies = "NSHTTPCookieManagerCookiesChangedNotification"
    case acceptPolicy = "NSHTTPCookieManagerAcceptPolicyChangedNotification"

    var name: Notification.Name { Notification.Name(rawValue) }
  }

  private struct Word: Hashable {
    let kind: Kind
    let storage: ObjectIdentifier
  }

  /// A name has been read: without it there can be no observer.
  static let wanted = Atomic(false)
  private static let queue = DispatchQueue(label: "bluebonnet.cookies.notifications")
  /// The notifications about to be posted; they need not be posted twice. The storages live until then.
  private static let pending = Locked<Set<Word>>([])

  static func post(_ kind: Kind, by storage: HTTPCookieStorage) {
    guard wanted.load(ordering: .relaxed) else { return }
    let word = Word(kind: kind, storage: ObjectIdentifier(storage))
    guard pending.withLock({ $0.insert(word).inserted }) else { return }
    queue.async {
      _ = pending.withLock { $0.remove(word) }
      NotificationCenter.default.post(name: kind.name, object: storage)
    }
  }
}
