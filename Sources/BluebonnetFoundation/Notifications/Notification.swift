#if !Foundation
  /// Word that something has happened.
  public struct Notification: CustomStringConvertible {
    /// What has happened.
    public struct Name: RawRepresentable, Hashable, Sendable {
      /// The name.
      public let rawValue: String

      /// Wraps a name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Wraps a name.
      public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// What has happened.
    public var name: Name
    /// To whom.
    public var object: Any?
    /// And what else there is to say.
    public var userInfo: [AnyHashable: Any]?

    /// Makes a notification.
    public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) {
      self.name = name
      self.object = object
      self.userInfo = userInfo
    }

    /// The name.
    public var description: String { "name = \(name.rawValue)" }
  }

  /// The name under which older code knows the type.
  public typealias NSNotification = Notification
#endif
