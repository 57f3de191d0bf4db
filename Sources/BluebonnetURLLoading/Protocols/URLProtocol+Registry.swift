import BluebonnetLocks

extension URLProtocol {
  private struct Classes: Sendable { var list: [URLProtocol.Type] = [] }
  private static let registered = Locked(Classes())

  /// Makes a class known to sessions that look at the registered ones. The last one is asked first.
  @discardableResult
  public class func registerClass(_ protocolClass: AnyClass) -> Bool {
    guard let type = protocolClass as? URLProtocol.Type else { return false }
    registered.withLock { classes in
      if !classes.list.contains(where: { $0 == type }) { classes.list.insert(type, at: 0) }
    }
    return true
  }

  /// Forgets a class.
  public class func unregisterClass(_ protocolClass: AnyClass) {
    registered.withLock { classes in classes.list.removeAll { $0 == protocolClass } }
  }

  /// The classes that are asked, in order.
  package static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0.list } }
}
