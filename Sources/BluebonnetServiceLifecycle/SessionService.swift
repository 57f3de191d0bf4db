// SPDX-License-Identifier: MIT
#if ServiceLifecycle
  import Bluebonnet
  import ServiceLifecycle

  /// A session as a service of swift-service-lifecycle, which ends it in good order when the program shuts down.
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [SessionService(session, deadline: .seconds(8)), worker], gracefulShutdownSignals: [.sigterm],
  ///   logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// A group shuts its services down in reverse order: name this one before those that make requests with the session.
  public struct SessionService: Service {
    /// The session that is shut down.
    public let session: Session
    /// The time that requests have to come to their end once the shutdown has begun.
    public let deadline: Duration?

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - session:  The session; it is of no use after the service has ended.
    ///   - deadline: The time that requests have to come to their end once the graceful shutdown has begun. The rest is cancelled then.
    ///               `nil`, the default, waits as long as it takes, or until the group cancels its services
    ///               (`maximumGracefulShutdownDuration`).
    public init(_ session: Session, deadline: Duration? = nil) {
      self.session = session
      self.deadline = deadline
    }

    /// Waits for the graceful shutdown, and then for the session's end: `Session.shutdown(deadline:)`.
    ///
    /// Cancelling the task cancels the requests that are under way, at any time, and the session ends as well. May be called again, also at the
    /// same time: each call returns after the session's end. Throws nothing.
    public func run() async {
      // The error is that of a cancelled task, for which the deadline is now.
      try? await gracefulShutdown()
      await session.shutdown(deadline: deadline)
    }
  }

  extension SessionService: CustomStringConvertible {
    /// The name under which a group logs the service.
    public var description: String { "SessionService" }
  }
#endif
