// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

// Unchecked: the only stored member is a mutex.
/// The settings of a session. A session copies them when it is made: later changes have no effect there.
///
/// Those of ``Settings``, which Foundation does not have, are members as well: `configuration.requestLimit = 8`. In an
/// extension or a subclass they need a `self.`, and a member of a subclass with such a name is not the setting.
@dynamicMemberLookup
open class URLSessionConfiguration: @unchecked Sendable {
  let state: Locked<Settings>

  /// The name of a background session; otherwise `nil`.
  public let identifier: String?

  init(_ settings: Settings, identifier: String? = nil) {
    state = Locked(settings)
    self.identifier = identifier
  }

  /// A fresh configuration with the shared stores for cookies, credentials and responses.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(.shared) }

  /// A fresh configuration with stores in memory that belong to it alone.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(.inMemory) }

  /// Like `default`, with a name. Refused: nothing goes on when the process ends, so every request of its session fails
  /// with a ``RefusedSetting``.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    var settings = Settings.shared
    settings.isBackground = true
    return URLSessionConfiguration(settings, identifier: identifier)
  }

  /// All settings as they are now.
  package var settings: Settings { state.withLock { $0 } }

  /// Changes settings that hold objects of the user's. These are let go of when the lock is free, because their end may ask
  /// the configuration.
  func change(_ body: (inout Settings) -> Void) {
    let before = state.withLock { settings in
      let before = settings
      body(&settings)
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// A member for each of the ``Settings`` that Foundation does not have.
  public subscript<Value: Sendable>(dynamicMember setting: WritableKeyPath<Settings, Value>) -> Value {
    get { state.withLock { $0[keyPath: setting] } }
    set { change { $0[keyPath: setting] = newValue } }
  }

  /// Watches another network namespace than this process's; for tests. By itself, since the compiler (6.3) crashes where a
  /// closure with a typed error is set by a key path.
  package var networkWatcher: Settings.NetworkWatcher {
    get { settings.networkWatcher }
    set { change { $0.networkWatcher = newValue } }
  }

  /// An independent configuration with the same settings.
  package func duplicate() -> URLSessionConfiguration {
    URLSessionConfiguration(settings, identifier: identifier)
  }

  /// An independent configuration with the same settings.
  open func copy() -> Any { duplicate() }
}

extension URLSessionConfiguration {
  /// The use of several paths at once by a service. Has no meaning on Linux.
  public enum MultipathServiceType: Int, Sendable {
    /// One path.
    case none = 0
    /// Another path takes over when one fails.
    case handover = 1
    /// The path with the least latency is used.
    case interactive = 2
    /// Several paths are used at once.
    case aggregate = 3
  }
}
