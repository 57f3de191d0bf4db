/// The requests of a session that are under way.
struct ActiveRequests {
  private(set) var requests: Set<Request> = []
  /// Requests whose session is gone.
  private var orphans: Set<Request> = []

  mutating func insert(_ request: Request) {
    requests.insert(request)
  }

  /// The request has come to its end.
  mutating func remove(_ request: Request) {
    requests.remove(request)
  }

  /// The session goes away: its tasks no longer matter to their requests.
  mutating func orphan() -> Set<Request> {
    orphans = requests
    requests = []
    return orphans
  }

  /// The URLSession is no more. Whatever still waits will wait in vain.
  mutating func close() -> (abandoned: Set<Request>, orphans: Set<Request>) {
    defer { self = ActiveRequests() }
    return (requests, orphans)
  }
}
