// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages

// What the engine reads and writes. Whatever takes the place of a user's object lets the old one go when the lock is free:
// its end may ask the task.
extension URLSessionTask {
  /// Holds the body back, or lets it flow again, as `isHeld` says when it is asked, soon. The task's state and its count of
  /// suspensions are the caller's and stay as they are.
  package func holdBody(while isHeld: @escaping @Sendable () -> Bool) {
    members.withLock { $0.driver }?.hold(while: isHeld)
  }

  /// The completion handler, called by the engine on the session's executor in place of the delegate.
  package var completion: Completion? {
    get { members.withLock { $0.completion } }
    set {
      var completion = newValue
      members.withLock { swap(&$0.completion, &completion) }
      completes.store(newValue != nil, ordering: .releasing)
    }
  }

  /// Sets the completion handler; false if it is too late.
  func install(_ completion: Completion) -> Bool {
    completes.store(true, ordering: .releasing)
    var completion = Optional(completion)
    return members.withLock { members in
      guard members.state != .completed else { return false }
      swap(&members.completion, &completion)
      return true
    }
  }

  /// Sets the completion handler of a task that was not begun, and has no waiter.
  ///
  /// - Returns: false if it is not such a task.
  func installBeforeBeginning(_ completion: Completion) -> Bool {
    let isFirst = members.withLock { members in
      guard members.state == .suspended, members.driver == nil, members.completion == nil else {
        return false
      }
      members.completion = completion
      return true
    }
    // Not begun, so it has not been looked at yet.
    if isFirst { completes.store(true, ordering: .releasing) }
    return isFirst
  }

  /// The listener of the task in place of the session's delegate, until the task's end has been told.
  package var listener: (any TaskListener)? {
    get { members.withLock { $0.listener } }
    set {
      var listener = newValue
      members.withLock { swap(&$0.listener, &listener) }
    }
  }

  /// Takes the listener, which hears of the end now. It may keep the task, so the task must not keep it.
  package func releaseListener() -> (any TaskListener)? {
    members.withLock { $0.listener.take() }
  }

  /// The delivery of a data task's body.
  var delivery: (completes: Bool, isIncremental: Bool) {
    (completes.load(ordering: .acquiring), !isGathered.load(ordering: .acquiring))
  }

  /// Goes on with the load of another task, of which only this one is heard from now on.
  func takeOver(from other: URLSessionTask) {
    let (state, suspensions, request, priority, listener, driver) = other.members.withLock {
      ($0.state, $0.suspensions, $0.currentRequest, $0.priority, $0.listener, $0.driver)
    }
    let (description, delegate) = (other.taskDescription, other.delegate)
    if delegate != nil { hasDelegate.store(true, ordering: .releasing) }
    members.withLock { members in
      members.state = state
      members.suspensions = suspensions
      members.currentRequest = request
      members.priority = priority
      if let description { members.ownRareState.description = description }
      members.delegate = delegate
      members.driver = driver
      members.listener = listener
    }
  }

  /// A redirect or an authenticated retry sends another request.
  ///
  /// - Parameter hasLeftOrigin: A redirect has led to another origin than the first.
  package func setCurrentRequest(_ request: URLRequest, hasLeftOrigin: Bool = false) {
    var request = Optional(request)
    members.withLock { members in
      swap(&members.currentRequest, &request)
      if hasLeftOrigin { members.hasLeftOrigin = true }
    }
  }

  /// The head of the response has arrived.
  package func setResponse(_ response: URLResponse, expecting length: Int64? = nil) {
    let length = length ?? response.expectedContentLength
    var response = Optional(response)
    members.withLock { members in
      swap(&members.response, &response)
      members.counts.expectedToReceive = length
    }
  }

  /// Fields have come behind the body.
  func setTrailers(_ fields: FieldBlock) {
    members.withLock { $0.ownRareState.trailers = fields }
  }

  /// The byte counts as they are now.
  package var byteCounts: ByteCounts {
    var counts = members.withLock { $0.counts }
    counts.received = countOfBytesReceived
    return counts
  }

  /// Counts the bytes received.
  package func countReceived(_ count: Int) {
    bytesReceived.add(Int64(count), ordering: .relaxed)
    reportProgress()
  }

  /// Changes the byte counts.
  package func count(_ change: (inout ByteCounts) -> Void) {
    members.withLock { members in
      members.counts.received = countOfBytesReceived
      change(&members.counts)
      bytesReceived.store(members.counts.received, ordering: .relaxed)
    }
    reportProgress()
  }

  private func reportProgress() {
    guard hasProgress.load(ordering: .relaxed), let progress = members.withLock({ $0.rareState?.progress })
    else {
      return
    }
    report(to: progress)
  }

  /// Moves to `.completed`; false if the task had already completed.
  package func complete(with error: (any Error)?) -> Bool {
    end(with: error, releasesListener: session.tellsListeners) != nil
  }

  /// Moves to `.completed`.
  ///
  /// - Parameter releasesListener: Whether the caller tells the listener of the end.
  /// - Returns: The completion handler, if there is one; nil if the task had already completed.
  func end(with error: (any Error)?, releasesListener: Bool) -> Completion?? {
    // These may keep the task's maker. They go when the lock is free: objects they keep may ask the task.
    let (isFirst, completion, delegate) = members.withLock {
      members -> (Bool, Completion?, (any URLSessionTaskDelegate)?) in
      guard members.state != .completed else { return (false, nil, nil) }
      members.state = .completed
      members.error = error
      members.driver = nil
      if releasesListener { members.listener = nil }
      return (true, members.completion.take(), members.delegate.take())
    }
    guard isFirst else { return nil }
    withExtendedLifetime(delegate) {}
    reportProgress()
    return .some(completion)
  }
}
