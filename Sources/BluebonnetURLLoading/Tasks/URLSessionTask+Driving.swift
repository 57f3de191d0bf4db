import BluebonnetFoundation

// What the engine reads and writes.
extension URLSessionTask {
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
  func driver(orMake make: () -> TaskLoad) -> (load: TaskLoad, isNew: Bool) {
    members.withLock { members in
      if let driver = members.driver { return (driver, false) }
      let made = make()
      members.driver = made
      return (made, true)
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
    members.withLock { change(&$0.counts) }
  }

  /// Moves to `.completed`; false if the task had already completed.
  package func complete(with error: (any Error)?) -> Bool {
    members.withLock { members in
      guard members.state != .completed else { return false }
      members.state = .completed
      members.error = error
      members.driver = nil
      return true
    }
  }
}
