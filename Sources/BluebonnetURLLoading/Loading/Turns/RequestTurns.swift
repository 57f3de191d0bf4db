// SPDX-License-Identifier: MIT

/// The requests under way, under a limit for all and one for each host, and those waiting for a turn.
///
/// A value: event in, action out. The driver is `RequestQueue`.
///
///     join ─▶ waiting ──next()──▶ under way ─▶ leave
///               │ ▲                  │
///            rest │ join             └─▶ join for another host: waiting
///               ▼ │
///             resting
///
/// The most urgent is served first, and among equals the one that came first; a resting one keeps its place in that order. A busy
/// host holds up only requests for the same host.
struct RequestTurns<Request: Hashable, Host: Hashable> {
  /// Lower ranks are served first.
  struct Rank: Comparable {
    let urgency: Float
    let number: UInt64

    static func < (left: Self, right: Self) -> Bool {
      left.urgency != right.urgency ? left.urgency > right.urgency : left.number < right.number
    }
  }

  /// The obstacle of a waiting request.
  enum Obstacle: Equatable {
    /// All that may be under way are.
    case session(limit: Int)
    /// All that may be under way to its host are.
    case host(limit: Int)
  }

  private enum Standing { case resting, waiting, underWay }

  private struct Entry {
    let number: UInt64
    var host: Host
    var urgency: Float
    var standing: Standing

    var rank: Rank { Rank(urgency: urgency, number: number) }
  }

  private struct Line {
    var underWay = 0
    var waiting = RankedQueue<Request, Rank>()
  }

  private let limit: Int
  private let limitPerHost: Int
  private var entries: [Request: Entry] = [:]
  private var lines: [Host: Line] = [:]
  /// Hosts that may have one more request and have one that waits, by the rank of that one.
  private var ready = RankedQueue<Host, Rank>()
  private var nextNumber: UInt64 = 0
  private(set) var underWay = 0

  /// - Parameters:
  ///   - limit: How many may be under way altogether; nil for any number.
  ///   - limitPerHost: How many to each host; nil for any number.
  init(limit: Int?, limitPerHost: Int?) {
    self.limit = limit ?? .max
    self.limitPerHost = limitPerHost ?? .max
  }

  var isEmpty: Bool { entries.isEmpty }
  /// The number of hosts with requests.
  var hostCount: Int { lines.count }

  func isUnderWay(_ request: Request, to host: Host) -> Bool {
    guard let entry = entries[request], case .underWay = entry.standing else { return false }
    return entry.host == host
  }

  /// Waits for a turn. A request under way to another host is so no more, and one that has been here before goes before all
  /// later ones.
  mutating func join(_ request: Request, to host: Host, urgency: Float) {
    var entry = withdraw(request) ?? Entry(number: number(), host: host, urgency: urgency, standing: .waiting)
    (entry.host, entry.urgency, entry.standing) = (host, urgency, .waiting)
    entries[request] = entry
    change(host) { $0.waiting.insert(request, rank: entry.rank) }
  }

  /// The request that has its turn now; nil if there is none. To be asked after every other event until there is none.
  mutating func next() -> Request? {
    guard underWay < limit, let host = ready.first?.element else { return nil }
    var request: Request?
    change(host) { line in
      request = line.waiting.popFirst()
      if request != nil { line.underWay += 1 }
    }
    guard let request else { return nil }
    underWay += 1
    entries[request]?.standing = .underWay
    return request
  }

  /// Neither waits nor is under way until it joins again.
  mutating func rest(_ request: Request) {
    guard var entry = withdraw(request) else { return }
    entry.standing = .resting
    entries[request] = entry
  }

  /// It wants nothing any more.
  mutating func leave(_ request: Request) {
    _ = withdraw(request)
  }

  /// It has become more or less urgent. Among equals it stands where it would have stood.
  mutating func setUrgency(_ urgency: Float, of request: Request) {
    guard var entry = entries[request] else { return }
    entry.urgency = urgency
    entries[request] = entry
    guard case .waiting = entry.standing else { return }
    change(entry.host) { $0.waiting.insert(request, rank: entry.rank) }
  }

  /// The obstacle of a request; nil if it does not wait.
  func obstacle(of request: Request) -> Obstacle? {
    guard let entry = entries[request], case .waiting = entry.standing else { return nil }
    let isHostBusy = lines[entry.host].map { $0.underWay >= limitPerHost } ?? false
    return isHostBusy ? .host(limit: limitPerHost) : .session(limit: limit)
  }

  private mutating func number() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func withdraw(_ request: Request) -> Entry? {
    guard let entry = entries.removeValue(forKey: request) else { return nil }
    switch entry.standing {
    case .resting: break
    case .waiting: change(entry.host) { $0.waiting.remove(request) }
    case .underWay:
      underWay -= 1
      change(entry.host) { $0.underWay -= 1 }
    }
    return entry
  }

  private mutating func change(_ host: Host, _ change: (inout Line) -> Void) {
    change(&lines[host, default: Line()])
    guard let line = lines[host] else { return }
    if let first = line.waiting.first, line.underWay < limitPerHost {
      ready.insert(host, rank: first.rank)
    } else {
      ready.remove(host)
    }
    if line.underWay == 0, line.waiting.isEmpty { lines[host] = nil }
  }
}
