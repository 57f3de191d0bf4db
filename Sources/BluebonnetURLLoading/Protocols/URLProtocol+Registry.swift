// SPDX-License-Identifier: MIT
import BluebonnetLocks

extension URLProtocol {
  private struct Classes: Sendable { var list: [URLProtocol.Type] = [] }
  private static let registered = Locked(Classes())

  /// Makes a class known to `URLSession.shared`. The last one is asked first. Other sessions take their classes from
  /// `URLSessionConfiguration.protocolClasses`, as on Apple's systems.
  ///
  /// - Returns: false for a class that is no `URLProtocol`; it is not registered.
  @discardableResult
  public class func registerClass(_ protocolClass: AnyClass) -> Bool {
    guard let type = protocolClass as? URLProtocol.Type else { return false }
    registered.withLock { classes in
      if !classes.list.contains(where: { $0 == type }) { classes.list.insert(type, at: 0) }
    }
    return true
  }

  /// Takes a class out of the registered ones; loads that it has begun go on.
  public class func unregisterClass(_ protocolClass: AnyClass) {
    registered.withLock { classes in classes.list.removeAll { $0 == protocolClass } }
  }

  /// The classes that are asked, in order.
  package static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0.list } }
}
