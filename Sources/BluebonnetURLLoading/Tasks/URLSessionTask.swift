// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Synchronization

// Unchecked: constants, and mutable members under a mutex.
/// One load of a session. It is suspended until `resume()`; its members may be read on any thread.
open class URLSessionTask: @unchecked Sendable, Hashable {
  /// The state of a task.
  public enum State: Int, Sendable, Hashable {
    /// The task loads, or waits for a connection.
    case running = 0
    /// The task does nothing until it is resumed.
    case suspended = 1
    /// The task was cancelled, and has not completed yet.
    case canceling = 2
    /// The task is over, well or not.
    case completed = 3
  }

  let members: Locked<Members>
  /// The loop counts the bytes, and any thread may look.
  let bytesReceived = Atomic<Int64>(0)
  /// Whether the progress was asked for, and has to be kept up to date from then on.
  let hasProgress = Atomic(false)
  /// The task has, or had, a delegate of its own.
  let hasDelegate = Atomic(false)
  /// There is a completion handler.
  let completes = Atomic(false)
  /// The body is handed over as one.
  let isGathered = Atomic(false)
  private let engine: (any TaskEngine)?

  /// The session that made the task.
  package let session: URLSession
  /// The source of the body.
  package let body: Body
  /// A number that is unique within the session.
  public let taskIdentifier: Int
  /// The request that the task was made with.
  public let originalRequest: URLRequest?

  init(_ origins: Origins, request: URLRequest?, body: Body) {
    session = origins.session
    engine = origins.engine
    taskIdentifier = origins.identifier
    self.body = body
    originalRequest = request
    members = Locked(Members(currentRequest: request, listener: origins.listener))
  }

  /// The link between a WebSocket task and its connection; nil for every other task.
  var webSocketLink: WebSocketLink? { nil }

  /// The members that a session gives to each of its tasks. A tuple, because its parts are handed on one by one, without a copy.
  typealias Origins = (
    session: URLSession, engine: (any TaskEngine)?, identifier: Int, listener: (any TaskListener)?
  )

  /// Tasks are equal if they are the same.
  public static func == (left: URLSessionTask, right: URLSessionTask) -> Bool { left === right }

  /// Hashes the identity: two tasks are equal only if they are the same object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Starts the task, or lets it go on after `suspend()`.
  open func resume() {
    resume(mayComeEarly: false)
  }

  /// As `resume()`, for an owner that decides in order and carries out on several threads: where the task runs, because the
  /// `suspend()` that was decided on earlier has not come yet, that one does nothing when it comes.
  package func resumeInAnyOrder() {
    resume(mayComeEarly: true)
  }

  private func resume(mayComeEarly: Bool) {
    let (driver, isNew, date) = members.withLock { members -> ((any TaskDriver)?, Bool, Date?) in
      guard members.state == .suspended else {
        if mayComeEarly, members.state == .running { members.suspensions -= 1 }
        return (nil, false, nil)
      }
      members.suspensions -= 1
      guard members.suspensions == 0 else { return (nil, false, nil) }
      members.state = .running
      if let driver = members.driver { return (driver, false, nil) }
      return (makeDriver(&members), true, members.rareState?.earliestBeginDate)
    }
    guard let driver else { return }
    if isNew { driver.start(notBefore: date) } else { driver.resume() }
  }

  /// Lets the task rest: no more of its request's body is sent, none of its response's taken, and the server's silence is not late. A
  /// connection that is being made, and a head that is about to be sent, are not held up. As many calls of `resume()` let it go on.
  open func suspend() {
    let driver = members.withLock { members -> (any TaskDriver)? in
      guard members.state == .running || members.state == .suspended else { return nil }
      members.suspensions += 1
      guard members.state == .running, members.suspensions > 0 else { return nil }
      members.state = .suspended
      return members.driver
    }
    driver?.suspend()
  }

  /// Ends the task well, without the rest of its response's body, for a delegate that has seen enough when it has the
  /// head: to be called after the delegate's answer to the response. The rest is read where that brings the connection
  /// back soon, by the rule that holds for the bodies of redirects that are followed; none of it is kept. Does nothing
  /// before there is a response. An addition of this package.
  public final func endWithoutRest() {
    members.withLock { $0.driver }?.endWithoutRest()
  }

  /// Ends the task; it completes with `URLError.cancelled`.
  open func cancel() {
    beginCancelling()?.cancel()
  }

  /// Moves to `.canceling`; nil if the task had already got there or further.
  func beginCancelling() -> (any TaskDriver)? {
    members.withLock { members in
      guard members.state == .running || members.state == .suspended else { return nil }
      members.state = .canceling
      return members.driver ?? makeDriver(&members)
    }
  }

  private func makeDriver(_ members: inout Members) -> (any TaskDriver)? {
    members.driver = engine?.makeDriver(
      for: self, listener: session.tellsListeners ? members.listener : nil)
    return members.driver
  }
}
