import BluebonnetFoundation
import BluebonnetLocks

// Unchecked: the only stored member is a mutex.
/// The settings of a session. A session copies them when it is made: later changes have no effect there.
open class URLSessionConfiguration: @unchecked Sendable {
  let state: Locked<Values>

  /// The name of a background session; otherwise `nil`.
  public let identifier: String?

  init(_ values: Values, identifier: String? = nil) {
    state = Locked(values)
    self.identifier = identifier
  }

  /// A fresh configuration with the shared stores for cookies, credentials and responses.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(.shared) }

  /// A fresh configuration with stores in memory that belong to it alone.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(.inMemory) }

  /// Like `default`, with a name. Refused: nothing goes on when the process ends, so every request of its session fails
  /// with a ``RefusedSetting``.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    var values = Values.shared
    values.isBackground = true
    return URLSessionConfiguration(values, identifier: identifier)
  }

  /// All settings as they are now.
  package var values: Values { state.withLock { $0 } }

  /// Changes settings that hold objects of the user's. These are let go of when the lock is free, because their end may ask
  /// the configuration.
  func change(_ body: (inout Values) -> Void) {
    let before = state.withLock { values in
      let before = values
      body(&values)
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// An independent configuration with the same settings.
  package func duplicate() -> URLSessionConfiguration {
    URLSessionConfiguration(values, identifier: identifier)
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
