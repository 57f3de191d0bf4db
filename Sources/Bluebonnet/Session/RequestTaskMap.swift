import BluebonnetURLLoading

/// The requests under way and the task each one waits for.
///
/// `URLSession` delivers a task's metrics before its completion, so a task leaves the map with its
/// completion and nothing has to wait for stragglers.
struct RequestTaskMap {
  private var tasks: [Int: Request] = [:]
  private(set) var requests: Set<Request> = []
  /// Requests whose session is gone.
  private var orphans: Set<Request> = []

  subscript(task: URLSessionTask) -> Request? { tasks[task.taskIdentifier] }

  mutating func insert(_ request: Request) {
    requests.insert(request)
  }

  mutating func associate(_ task: URLSessionTask, with request: Request) {
    tasks[task.taskIdentifier] = request
  }

  /// The task has completed.
  mutating func disassociate(_ task: URLSessionTask) -> Request? {
    tasks.removeValue(forKey: task.taskIdentifier)
  }

  /// The request has served all its handlers.
  mutating func remove(_ request: Request) {
    requests.remove(request)
  }

  /// The session goes away: its tasks no longer report to their requests.
  mutating func orphan() {
    orphans = requests
    requests = []
    tasks = [:]
  }

  /// The URLSession is no more. Whatever still waits will wait in vain.
  mutating func close() -> (abandoned: Set<Request>, orphans: Set<Request>) {
    defer { self = RequestTaskMap() }
    return (requests, orphans)
  }
}
