// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// The classes that may load in place of the network, in the order in which they are asked.
struct ProtocolClasses: Sendable {
  private let own: [URLProtocol.Type]
  private let asksRegistered: Bool

  /// Nil where there is no class to ask. Anything but a `URLProtocol` has been refused before.
  init?(_ classes: [AnyClass]?, asksRegistered: Bool) {
    own = classes?.compactMap { $0 as? URLProtocol.Type } ?? []
    self.asksRegistered = asksRegistered
    if own.isEmpty, !asksRegistered { return nil }
  }

  /// Whether there is any class to ask at the moment.
  var areAsked: Bool { !own.isEmpty || asksRegistered && !URLProtocol.registeredClasses.isEmpty }

  /// The first class that loads the task, as its current request stands.
  ///
  /// Calls code of the caller's.
  func first(for task: URLSessionTask) -> URLProtocol.Type? {
    own.first { $0.canInit(with: task) }
      ?? (asksRegistered ? URLProtocol.registeredClasses.first { $0.canInit(with: task) } : nil)
  }
}

extension URLSessionTask {
  /// The session's fields for the current request: at another origin than the first, and after it, without those that are meant for
  /// that one.
  fileprivate var sessionFields: [HeaderFields.Field] {
    let isElsewhere =
      members.withLock { $0.hasLeftOrigin }
      || currentRequest?.url.flatMap { try? TargetURI.of($0).origin }
        != originalRequest?.url.flatMap { try? TargetURI.of($0).origin }
    return session.settings.additionalFields.fields.filter {
      !isElsewhere || !RequestCredentials.isBound($0.name)
    }
  }

  /// The current request with the session's fields.
  var requestWithSessionFields: URLRequest? {
    guard var request = currentRequest else { return nil }
    for field in sessionFields where request.headerFields.index(of: field.name) == nil {
      request.headerFields[field.name] = field.value
    }
    return request
  }
}
