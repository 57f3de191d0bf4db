import BluebonnetFoundation

// What the engine reads and writes.
extension URLSessionTask {
  /// Holds the body back, or lets it flow again, as `isHeld` says when it is asked, soon. The task's state and its count of
  /// suspensions are the caller's and stay as they are.
  package func holdBody(while isHeld: @escaping @Sendable () -> Bool) {
    session.engine?.hold(self, while: isHeld)
  }

  /// Who hears of the end instead of the delegate; the engine calls it on the session's lane.
  package var completion: Completion? {
    get { members.withLock { $0.completion } }
    set { members.withLock { $0.completion = newValue } }
  }

  /// Sets who hears of the end; false if that is past.
  func install(_ completion: Completion) -> Bool {
    members.withLock { members in
      guard members.state != .completed else { return false }
      members.completion = completion
      return true
    }
  }

  /// What the engine keeps for the task.
  var driver: TaskLoad? { members.withLock { $0.driver } }

  /// What the engine keeps for the task, made at the first call; however many threads call.
  func driver(orMake make: () -> TaskLoad) -> (load: TaskLoad, isNew: Bool, earliestBegin: Date?) {
    members.withLock { members in
      if let driver = members.driver { return (driver, false, nil) }
      let made = make()
      members.driver = made
      return (made, true, members.earliestBeginDate)
    }
  }

  /// How the body of a data task is handed over.
  var delivery: (completes: Bool, isIncremental: Bool) {
    members.withLock { ($0.completion != nil, $0.prefersIncrementalDelivery) }
  }

  /// Goes on with the load of another task, of which only this one is heard from now on.
  func takeOver(from other: URLSessionTask, drivenBy driver: TaskLoad) {
    let (state, request, priority) = other.members.withLock { ($0.state, $0.currentRequest, $0.priority) }
    let (description, delegate) = (other.taskDescription, other.delegate)
    members.withLock { members in
      members.state = state
      members.suspensions = state == .suspended ? 1 : 0
      members.currentRequest = request
      members.priority = priority
      members.description = description
      members.delegate = delegate
      members.driver = driver
    }
  }

  /// A redirect or an authenticated retry sends another request.
  package func setCurrentRequest(_ request: URLRequest) {
    members.withLock { $0.currentRequest = request }
  }

  /// The head of the response has arrived.
  package func setResponse(_ response: URLResponse, expecting length: Int64? = nil) {
    let length = length ?? response.expectedContentLength
    members.withLock { members in
      members.response = response
      members.counts.expectedToReceive = length
    }
  }

  /// The byte counts as they are now.
  package var byteCounts: ByteCounts { members.withLock { $0.counts } }

  /// Changes the byte counts.
  package func count(_ change: (inout ByteCounts) -> Void) {
    let progress = members.withLock { members in
      change(&members.counts)
      return members.progress
    }
    if let progress { report(to: progress) }
  }

  /// Moves to `.completed`; false if the task had already completed.
  package func complete(with error: (any Error)?) -> Bool {
    let (isFirst, progress) = members.withLock { members -> (Bool, Progress?) in
      guard members.state != .completed else {
        // Made for a cancellation that came too late.
        members.driver = nil
        return (false, nil)
      }
      members.state = .completed
      members.error = error
      members.driver = nil
      return (true, members.progress)
    }
    if let progress { report(to: progress) }
    return isFirst
  }
}
