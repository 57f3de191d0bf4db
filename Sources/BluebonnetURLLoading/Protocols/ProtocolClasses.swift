import BluebonnetFoundation

/// The classes that may load in place of the network, in the order in which they are asked.
struct ProtocolClasses: Sendable {
  private let own: [URLProtocol.Type]
  private let asksRegistered: Bool

  /// Nil where there is nobody to ask. What is no `URLProtocol` has been refused before.
  init?(_ classes: [AnyClass]?, asksRegistered: Bool) {
    own = classes?.compactMap { $0 as? URLProtocol.Type } ?? []
    self.asksRegistered = asksRegistered
    if own.isEmpty, !asksRegistered { return nil }
  }

  /// Whether there is anybody to ask at the moment.
  var areAsked: Bool { !own.isEmpty || asksRegistered && !URLProtocol.registeredClasses.isEmpty }

  /// The first class that loads the task, as its current request stands.
  ///
  /// Calls code of the caller's.
  func first(for task: URLSessionTask) -> URLProtocol.Type? {
    own.first { $0.canInit(with: task) }
      ?? (asksRegistered ? URLProtocol.registeredClasses.first { $0.canInit(with: task) } : nil)
  }
}
