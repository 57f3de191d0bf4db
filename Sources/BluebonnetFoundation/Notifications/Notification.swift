// SPDX-License-Identifier: MIT
#if !Foundation
  /// Word that something has happened.
  public struct Notification: CustomStringConvertible {
    /// The name by which observers and posters of a notification find each other.
    public struct Name: RawRepresentable, Hashable, Sendable {
      /// The name as text.
      public let rawValue: String

      /// Makes a name of its text.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Makes a name of its text.
      public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// The notification's name.
    public var name: Name
    /// The object that posted it, or that it is about; `nil` for none.
    public var object: Any?
    /// And what else there is to say.
    public var userInfo: [AnyHashable: Any]?

    /// Makes a notification.
    ///
    /// - Parameters:
    ///   - name: Which notification it is.
    ///   - object: The object that it is about; `nil` by default.
    ///   - userInfo: More about it; `nil` by default.
    public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) {
      self.name = name
      self.object = object
      self.userInfo = userInfo
    }

    /// The name, for debugging.
    public var description: String { "name = \(name.rawValue)" }
  }

  /// The name under which older code knows the type.
  public typealias NSNotification = Notification
#endif
