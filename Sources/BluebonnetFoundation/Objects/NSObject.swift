// SPDX-License-Identifier: MIT
#if !Foundation
  /// The questions that every object answers.
  public protocol NSObjectProtocol: AnyObject {
    /// Whether another object counts as the same.
    func isEqual(_ object: Any?) -> Bool
    /// Equal objects have equal hashes.
    var hash: Int { get }
    /// A text that tells what the object is.
    var description: String { get }
  }

  /// A class to inherit from, for code that does so by custom.
  open class NSObject: NSObjectProtocol, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Makes an object.
    public init() {}

    /// The same object, unless a subclass knows better.
    open func isEqual(_ object: Any?) -> Bool { (object as AnyObject?) === self }

    /// A number that is equal for equal objects; by default one for the object's identity.
    open var hash: Int { ObjectIdentifier(self).hashValue }

    /// The name of the class.
    open var description: String { "<\(type(of: self))>" }

    /// The same as the description.
    open var debugDescription: String { description }

    /// Whether `left.isEqual(right)`.
    public static func == (left: NSObject, right: NSObject) -> Bool { left.isEqual(right) }

    /// Hashes the object's `hash`.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
#endif
