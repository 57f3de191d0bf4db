/// The requests of a session that are under way.
struct ActiveRequests<Member: Hashable> {
  /// Apart, because often there is one, which takes no hashing then.
  private var first: Member?
  private var others: Set<Member> = []
  /// Requests that have outlived their session.
  private var orphans: Set<Member> = []

  var requests: Set<Member> { first.map { others.union([$0]) } ?? others }

  mutating func insert(_ request: Member) {
    if first == request { return }
    if first == nil, !others.contains(request) { first = request } else { others.insert(request) }
  }

  /// The request has come to its end.
  mutating func remove(_ request: Member) {
    if first == request { first = nil } else { others.remove(request) }
  }

  /// The session goes away: its tasks no longer matter to their requests.
  mutating func orphan() -> Set<Member> {
    orphans = requests
    (first, others) = (nil, [])
    return orphans
  }

  /// The URLSession is no more. Whatever still waits will wait in vain.
  mutating func close() -> (abandoned: Set<Member>, orphans: Set<Member>) {
    defer { self = ActiveRequests() }
    return (requests, orphans)
  }
}
