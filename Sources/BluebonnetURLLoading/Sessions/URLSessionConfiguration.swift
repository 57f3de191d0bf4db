import BluebonnetFoundation
import Synchronization

// Unchecked: the only stored member is a mutex.
/// How the loads of a session behave. A session copies it when it is made: later changes have no effect there.
open class URLSessionConfiguration: @unchecked Sendable {
  let state: Mutex<Values>

  /// The name of a background session; otherwise `nil`.
  public let identifier: String?

  init(_ values: Values, identifier: String? = nil) {
    state = Mutex(values)
    self.identifier = identifier
  }

  /// A fresh configuration with the shared stores for cookies, credentials and responses.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(.shared) }

  /// A fresh configuration whose stores live in memory and belong to it alone.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(.inMemory) }

  /// Like `default`, with a name. Loads end with the process.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    var values = Values.shared
    values.isBackground = true
    return URLSessionConfiguration(values, identifier: identifier)
  }

  /// All settings as they are now.
  package var values: Values { state.withLock { $0 } }

  /// An independent configuration with the same settings.
  package func duplicate() -> URLSessionConfiguration {
    URLSessionConfiguration(values, identifier: identifier)
  }

  /// An independent configuration with the same settings.
  open func copy() -> Any { duplicate() }
}

extension URLSessionConfiguration {
  /// How a service may use several paths at once. Kept for source compatibility.
  public enum MultipathServiceType: Int, Sendable {
    case none = 0
    case handover = 1
    case interactive = 2
    case aggregate = 3
  }
}
