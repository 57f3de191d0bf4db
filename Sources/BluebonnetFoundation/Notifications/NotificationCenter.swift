// SPDX-License-Identifier: MIT
#if !Foundation
  import BluebonnetLocks

  // Unchecked: the only stored member is a mutex.
  /// Delivers notifications to their observers.
  open class NotificationCenter: NSObject, @unchecked Sendable {
    /// The shared center of the process.
    public static let `default` = NotificationCenter()

    private struct Entry {
      let name: Notification.Name?
      let object: ObjectIdentifier?
      let queue: OperationQueue?
      let block: @Sendable (Notification) -> Void
    }

    private final class Token: NSObject {}

    private struct Parcel: @unchecked Sendable {
      // Unchecked: a notification is handed on, never changed.
      let notification: Notification
    }

    private let entries = Locked<[(token: ObjectIdentifier, entry: Entry)]>([])

    /// Calls `block` for notifications of a name, of an object, or both; until the result is removed.
    open func addObserver(
      forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
      using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
      let token = Token()
      let entry = Entry(name: name, object: Self.identity(object), queue: queue, block: block)
      let identity = ObjectIdentifier(token)
      entries.withLock { $0.append((identity, entry)) }
      return token
    }

    /// Calls no more for what `addObserver` returned.
    open func removeObserver(_ observer: Any) {
      let identity = Self.identity(observer)
      // Its block goes when the lock is free: what it keeps may come here at its end.
      let gone = entries.withLock { entries in
        let gone = entries.filter { $0.token == identity }
        entries.removeAll { $0.token == identity }
        return gone
      }
      withExtendedLifetime(gone) {}
    }

    /// Posts a notification. Observers without a queue are called before this returns.
    open func post(_ notification: Notification) {
      let sender = Self.identity(notification.object)
      let concerned = entries.withLock { entries in
        entries.map(\.entry).filter {
          ($0.name == nil || $0.name == notification.name) && ($0.object == nil || $0.object == sender)
        }
      }
      let parcel = Parcel(notification: notification)
      for entry in concerned {
        guard let queue = entry.queue else {
          entry.block(notification)
          continue
        }
        queue.addOperation { entry.block(parcel.notification) }
      }
    }

    /// Makes a notification of these parts, and posts it: observers without a queue are called on this thread, before
    /// the call returns.
    open func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
      post(Notification(name: name, object: object, userInfo: userInfo))
    }

    private static func identity(_ object: Any?) -> ObjectIdentifier? {
      object.map { ObjectIdentifier($0 as AnyObject) }
    }
  }
#endif
