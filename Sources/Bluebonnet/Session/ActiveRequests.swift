// SPDX-License-Identifier: MIT

/// The requests of a session that have not come to their end, the number of running response handlers, and the calls that wait for
/// both.
struct ActiveRequests<Member: Hashable> {
  /// Apart, because often there is one, which takes no hashing then.
  private var first: Member?
  private var others: Set<Member> = []
  /// Requests that have outlived their session.
  private var orphans: Set<Member> = []
  /// Requests that outlive the URLSession, until they come to their end.
  private var abandoned: Set<Member> = []
  /// Whether no request joins any more, since the session is shutting down.
  private(set) var isClosed = false
  /// Handlers that have been put on their queues, and have not returned.
  private var handlerCount = 0
  /// Called when no request is under way, and all handlers have returned.
  private var waiters: [@Sendable () -> Void] = []

  var count: Int { (first == nil ? 0 : 1) + others.count }

  var requests: Set<Member> { first.map { others.union([$0]) } ?? others }

  /// - Returns: false if it is not a member, and does not become one: the session is shutting down.
  mutating func insert(_ request: Member) -> Bool {
    if first == request { return true }
    if isClosed { return others.contains(request) }
    if first == nil, !others.contains(request) { first = request } else { others.insert(request) }
    return true
  }

  /// The request has come to its end.
  ///
  /// - Parameter handlerCount: The number of handlers that are to be called now.
  /// - Returns: The waiters, if that was the last thing to wait for.
  mutating func remove(_ request: Member, calling handlerCount: Int = 0) -> [@Sendable () -> Void]? {
    if first == request { first = nil } else { others.remove(request) }
    if !abandoned.isEmpty { abandoned.remove(request) }
    self.handlerCount += handlerCount
    return takeWaiters()
  }

  /// - Returns: The waiters, if that was the last thing to wait for.
  mutating func handlerReturned() -> [@Sendable () -> Void]? {
    handlerCount -= 1
    return takeWaiters()
  }

  /// - Returns: false if there is nothing to wait for.
  mutating func waits(_ action: @escaping @Sendable () -> Void) -> Bool {
    waiters.append(action)
    return takeWaiters() == nil
  }

  private mutating func takeWaiters() -> [@Sendable () -> Void]? {
    guard !waiters.isEmpty, handlerCount == 0, count == 0, abandoned.isEmpty else { return nil }
    defer { waiters = [] }
    return waiters
  }

  /// The session goes away: its tasks no longer matter to their requests.
  mutating func orphan() -> Set<Member> {
    orphans = requests
    // A waiter would keep the session.
    (first, others, abandoned) = (nil, [], [])
    return orphans
  }

  /// The URLSession is no more. Whatever still waits will wait in vain.
  mutating func close() -> (abandoned: Set<Member>, orphans: Set<Member>) {
    defer { (first, others, orphans) = (nil, [], []) }
    abandoned.formUnion(requests)
    return (requests, orphans)
  }

  /// The session shuts down: no other request joins.
  ///
  /// - Returns: The requests that have not come to their end.
  mutating func refuseFurther() -> Set<Member> {
    isClosed = true
    return requests.union(abandoned)
  }
}
