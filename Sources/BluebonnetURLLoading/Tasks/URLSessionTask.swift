import BluebonnetFoundation
import BluebonnetLocks

// Unchecked: constants, and mutable members under a mutex.
/// One load of a session.
open class URLSessionTask: @unchecked Sendable, Hashable {
  /// Where a task is in its life.
  public enum State: Int, Sendable, Hashable {
    case running = 0
    case suspended = 1
    case canceling = 2
    case completed = 3
  }

  let members: Locked<Members>

  /// The session that made the task.
  package let session: URLSession
  /// Where the body comes from.
  package let body: Body
  /// A number that is unique within the session.
  public let taskIdentifier: Int
  /// The request as it was given.
  public let originalRequest: URLRequest?

  init(session: URLSession, identifier: Int, request: URLRequest?, body: Body) {
    self.session = session
    self.body = body
    taskIdentifier = identifier
    originalRequest = request
    members = Locked(Members(currentRequest: request))
  }

  /// Tasks are equal if they are the same.
  public static func == (left: URLSessionTask, right: URLSessionTask) -> Bool { left === right }

  /// Feeds the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Starts the task, or lets it go on after `suspend()`.
  open func resume() {
    let starts = members.withLock { members -> Bool in
      guard members.state == .suspended else { return false }
      members.suspensions -= 1
      guard members.suspensions == 0 else { return false }
      members.state = .running
      return true
    }
    if starts { session.engine?.resume(self) }
  }

  /// Lets the task rest. As many calls of `resume()` let it go on.
  open func suspend() {
    let stops = members.withLock { members -> Bool in
      guard members.state == .running || members.state == .suspended else { return false }
      members.suspensions += 1
      guard members.state == .running else { return false }
      members.state = .suspended
      return true
    }
    if stops { session.engine?.suspend(self) }
  }

  /// Ends the task; it completes with `URLError.cancelled`.
  open func cancel() {
    if beginCancelling() { session.engine?.cancel(self) }
  }

  /// Moves to `.canceling`; false if the task had already got there or further.
  func beginCancelling() -> Bool {
    members.withLock { members -> Bool in
      guard members.state == .running || members.state == .suspended else { return false }
      members.state = .canceling
      return true
    }
  }
}
