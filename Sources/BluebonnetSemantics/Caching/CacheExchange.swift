// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// One request and what a private cache does about it (RFC 9111 §4). A value: event in, action out, the time an argument.
///
///     begin ─▶ serve a stored response
///       │ └──▶ unavailable: nothing may be asked, and nothing is stored
///       ▼
///     forward, perhaps with conditions
///       │
///       ├─ received ─▶ serve the stored response: a 304, or an error that it stands in for
///       │       │ └──▶ ask again, without conditions: the 304 is of something else
///       │       └────▶ pass: the response is the answer, and may be stored
///       └─ failed ───▶ serve the stored response, or nothing
///
package struct CacheExchange: Sendable {
  /// The caller's policy for the cache.
  package enum Mode: Sendable, Hashable {
    /// The rules of RFC 9111.
    case rules
    /// Nothing without the server's consent.
    case revalidated
    /// Whatever is stored, however old; else what the server says.
    case storedElseLoaded
    /// Whatever is stored, and nothing else.
    case storedOnly
    /// Nothing that is stored.
    case reloaded
  }

  package enum Opening: Sendable {
    /// The stored response of this index answers.
    case serve(Int, CacheServing)
    /// The server is to be asked, with these fields besides.
    case forward([HeaderFields.Field])
    /// Nothing answers, and the server is not to be asked.
    case unavailable
  }

  package enum Reception: Sendable {
    /// The response is the answer. It is stored with its body if there is something to store it as.
    case pass(StoredHead?, Change)
    /// A stored response answers.
    case serve(Int, CacheServing, Change)
    /// The request is to be sent once more as it was without conditions.
    case askAgain
  }

  /// A change to a stored response.
  package enum Change: Sendable {
    case none
    /// The head of the stored response of this index is this one now.
    case freshen(Int, StoredHead)
    /// The stored response of this index is not to be used any more.
    case forget(Int)
  }

  /// The source of trust in the server that a response comes from.
  package enum TrustSource: Sendable, Hashable {
    /// The session's anchors, or no TLS.
    case anchors
    /// The partition's evaluator, although the anchors do not.
    case evaluator
    /// Another one: the response is not to be stored.
    case taskDelegate
  }

  package let method: String
  /// Those that go out with the request, without conditions and wishes of this cache.
  package private(set) var fields: HeaderFields
  package let mode: Mode
  package let partition: CachePartition
  /// Of the server that has answered.
  package var trustSource = TrustSource.anchors
  let directives: RequestDirectives
  /// A response stored since then (seconds since 1970) is served, fresh or not, unless it forbids that: the caller waited for it.
  package var acceptedSince: Double?
  /// Stored responses under the request's address.
  private var candidates: [StoredHead] = []
  /// The one that the answer may be about.
  private var selected: Int?
  private var reason = CacheStatus.Reason.bypass
  /// The request goes with conditions of ours.
  package private(set) var validates = false

  /// - Parameters:
  ///   - fields: Those that go out with the request, without conditions and wishes of this cache.
  ///   - partition: The partition of the session.
  package init(method: String, fields: HeaderFields, mode: Mode, partition: CachePartition) {
    self.method = method
    self.fields = fields
    self.mode = mode
    self.partition = partition
    directives = RequestDirectives(fields)
  }

  /// The request was authenticated by something that is not among its fields: its response is stored for this identity only.
  package mutating func proved(by identity: String) { fields["Authorization"] = identity }

  /// Whether stored responses are worth looking for.
  package var asksStore: Bool {
    // The answer to a HEAD updates the response stored for GET, also where that is not to be served (RFC 9111 §4.3.5).
    (method == "HEAD" || mode != .reloaded && method == "GET")
      // Only the server can judge these (RFC 9110 §13.2.1).
      && fields.index(of: "If-Match") == nil && fields.index(of: "If-Unmodified-Since") == nil
  }

  // MARK: Before the server is asked

  /// - Parameters:
  ///   - candidates: The responses stored under the address, if they were looked for.
  ///   - now: Seconds since 1970.
  package mutating func begin(_ candidates: [StoredHead], now: Double) -> Opening {
    // A stored response that could not be read is not what an answer is about.
    (self.candidates, selected, validates) = ([], nil, false)
    guard asksStore else { return forward(method == "GET" || method == "HEAD" ? .bypass : .method) }
    guard !candidates.isEmpty else { return forward(.uriMiss) }
    self.candidates = candidates
    guard let index = newest(where: { $0.selection.answers(fields, partition: partition) }) else {
      return forward(.varyMiss)
    }
    selected = index
    let stored = candidates[index]
    switch use(of: stored, now: now) {
    case .no(let reason): return validate(stored, reason)
    case .yes(let revalidates):
      guard var serving = serving(of: stored, status: .hit(timeToLive: timeToLive(of: stored, now)), now: now)
      else { return forward(.partial) }
      serving.revalidates = revalidates && serving.body == .all && !directives.onlyIfCached
      if revalidates, !serving.revalidates, !directives.onlyIfCached { return validate(stored, .stale) }
      return .serve(index, serving)
    }
  }

  private func timeToLive(of stored: StoredHead, _ now: Double) -> Int {
    Freshness.whole(stored.freshness.remainder(at: now))
  }

  private enum Use {
    /// With the duty to ask for it anew, perhaps.
    case yes(revalidates: Bool)
    case no(CacheStatus.Reason)
  }

  private func use(of stored: StoredHead, now: Double) -> Use {
    let remainder = stored.freshness.remainder(at: now)
    let isFresh = remainder > 0 || isAccepted(stored)
    switch mode {
    case .storedOnly, .storedElseLoaded: return .yes(revalidates: false)
    // RFC 8246 §2: reloading does not ask for what never changes while it is fresh.
    case .revalidated where isFresh && stored.directives.options.contains(.immutable): break
    case .revalidated, .reloaded: return .no(.request)
    case .rules: break
    }
    if directives.noCache { return .no(.request) }
    if stored.directives.options.contains(.noCache) { return .no(.stale) }
    if let limit = directives.maxAge, limit == 0 || stored.freshness.age(at: now) > Double(limit) {
      return .no(.request)
    }
    if let least = directives.minFresh, remainder < Double(least) { return .no(.request) }
    if isFresh { return .yes(revalidates: false) }
    return useWhileStale(stored, staleness: -remainder)
  }

  private func isAccepted(_ stored: StoredHead) -> Bool {
    guard let acceptedSince else { return false }
    return stored.responseTime >= acceptedSince && !stored.directives.options.contains(.mustRevalidate)
  }

  /// RFC 9111 §4.2.4: only by permission.
  private func useWhileStale(_ stored: StoredHead, staleness: Double) -> Use {
    if stored.directives.options.contains(.mustRevalidate) { return .no(.stale) }
    if let limit = directives.maxStale, staleness <= Double(limit) { return .yes(revalidates: false) }
    // A request with a limit on age has spoken against anything older.
    if directives.maxAge == nil, let limit = stored.directives.staleWhileRevalidate, staleness < Double(limit)
    {
      return .yes(revalidates: true)
    }
    return .no(.stale)
  }

  /// The newest, by the server's clock (RFC 9111 §4).
  private func newest(where fits: (StoredHead) -> Bool) -> Int? {
    var found: (index: Int, made: Double)?
    let isWhole = fields.index(of: "Range") == nil
    for (index, stored) in candidates.enumerated() where fits(stored) && (stored.part == nil || !isWhole) {
      let made = stored.freshness.made
      // Of equals the one stored later comes first.
      if found.map({ $0.made <= made }) ?? true { found = (index, made) }
    }
    return found?.index
  }

  private mutating func validate(_ stored: StoredHead, _ reason: CacheStatus.Reason) -> Opening {
    // The caller's own conditions are answered to the caller; a HEAD is asked as it is.
    let isPlain =
      method == "GET" && stored.part == nil && fields.index(of: "Range") == nil
      && fields.index(of: "If-None-Match") == nil && fields.index(of: "If-Modified-Since") == nil
    let conditions = isPlain ? stored.conditions : []
    validates = !conditions.isEmpty
    return forward(reason, conditions)
  }

  private mutating func forward(
    _ reason: CacheStatus.Reason, _ conditions: [HeaderFields.Field] = []
  ) -> Opening {
    self.reason = reason
    switch mode {
    case .storedOnly: return .unavailable
    case .rules, .storedElseLoaded: if directives.onlyIfCached { return .unavailable }
    // A request that wants validation says so to the caches on the way, too.
    case .revalidated, .reloaded: break
    }
    return .forward(conditions)
  }

  /// Nil for a part that is not there.
  private func serving(of stored: StoredHead, status: CacheStatus, now: Double) -> CacheServing? {
    if stored.isNotModified(for: fields, now: now) { return stored.servingNotModified(status, at: now) }
    let range = method == "GET" ? RangeRequest(fields["Range"]) : .whole
    guard range != .whole, stored.status == 200 || stored.part != nil, stored.allowsPart(for: fields) else {
      return stored.part == nil ? stored.serving(status, headOnly: method == "HEAD", at: now) : nil
    }
    // A range counts the bytes of the coded representation, and those are not kept.
    guard !stored.fields.contains(.contentEncoding), let total = stored.part?.total ?? stored.length,
      let bytes = range.bytes(of: total)
    else { return nil }
    if let part = stored.part, part.range.clamped(to: bytes) != bytes { return nil }
    return stored.servingPart(bytes, of: total, status, at: now)
  }

  // MARK: After the server was asked

  /// The head of a final response.
  ///
  /// - Parameters:
  ///   - requestTime: When the request was sent, in seconds since 1970.
  ///   - now: The present.
  ///   - namesTarget: Whether `Content-Location` is the address that was asked for.
  package mutating func received(
    status: Int, fields newer: FieldBlock, requestTime: Double, now: Double, namesTarget: () -> Bool
  ) -> Reception {
    if validates {
      validates = false
      if status == 304 { return notModified(newer, requestTime: requestTime, now: now) }
    }
    if CacheRules.isError(status), let (index, serving) = standIn(for: status, now: now) {
      return .serve(index, serving, .none)
    }
    let change = change(by: status, newer, requestTime: requestTime, now: now)
    if case .freshen = change { return .pass(nil, change) }
    return .pass(
      stored(status: status, newer, requestTime: requestTime, now: now, namesTarget: namesTarget), change)
  }

  /// There is no response.
  package func failed(now: Double) -> (Int, CacheServing)? { standIn(for: nil, now: now) }

  private mutating func notModified(_ newer: FieldBlock, requestTime: Double, now: Double) -> Reception {
    guard let index = selected, candidates[index].isSelected(by: newer) else {
      // RFC 9111 §4.3.4: it confirms another response, one that is not stored.
      selected = nil
      return .askAgain
    }
    let newerDirectives = ResponseDirectives(newer)
    let fresh = candidates[index].freshened(
      by: newer, newerDirectives, requestTime: requestTime, responseTime: now)
    let serving = fresh.serving(.forwarded(reason, status: 304), headOnly: false, at: now)
    let mayStay = mayFreshen(candidates[index], newer, newerDirectives)
    return .serve(index, serving, mayStay ? .freshen(index, fresh) : .forget(index))
  }

  /// Whether the stored response stays for its identity. The request may have been authenticated since it was chosen: the answer
  /// to one identity is not for others (RFC 9111 §3.5).
  private func mayFreshen(
    _ stored: StoredHead, _ newer: FieldBlock, _ newerDirectives: ResponseDirectives
  ) -> Bool {
    guard let arrival else { return false }
    return stored.mayBecome(newer, newerDirectives) && stored.selection.answers(fields, partition: arrival)
  }

  /// The partition that the response belongs to; nil if it is not to be stored.
  private var arrival: CachePartition? {
    switch trustSource {
    case .anchors: return partition
    case .evaluator:
      guard let evaluator = partition.evaluator else { return nil }
      return CachePartition(
        decodesContent: partition.decodesContent, substitute: partition.substitute, trust: evaluator)
    case .taskDelegate: return nil
    }
  }

  /// RFC 5861 §4.
  private func standIn(for status: Int?, now: Double) -> (Int, CacheServing)? {
    guard let index = selected, mode == .rules, reason == .stale else { return nil }
    let stored = candidates[index]
    guard stored.directives.options.isDisjoint(with: [.mustRevalidate, .noCache]),
      let limit = [stored.directives.staleIfError, directives.staleIfError].compactMap({ $0 }).max(),
      -stored.freshness.remainder(at: now) <= Double(limit),
      let serving = serving(of: stored, status: .forwarded(reason, status: status), now: now)
    else { return nil }
    return (index, serving)
  }

  private func change(
    by status: Int, _ newer: FieldBlock, requestTime: Double, now: Double
  ) -> Change {
    guard let index = selected else { return .none }
    let stored = candidates[index]
    let speaksOfIt: Bool
    switch (method, status) {
    // The answer to the caller's own condition.
    case ("GET", 304): speaksOfIt = stored.isSelected(by: newer) && newer.contains(.etag)
    // A part of a response stored as a whole.
    case ("GET", 206):
      // The type of several parts is that of the message (RFC 9110 §15.3.7.2).
      speaksOfIt =
        stored.part == nil && CacheRules.isPart(newer) && stored.isSameRepresentation(as: newer)
    case ("HEAD", 200):
      guard stored.isConfirmed(byHead: newer) else { return .forget(index) }
      // A caller that reloads leaves the stored response as it is, unless it is wrong.
      speaksOfIt = stored.status == 200 && mode != .reloaded
    default: return .none
    }
    guard speaksOfIt else { return .none }
    let newerDirectives = ResponseDirectives(newer)
    guard mayFreshen(stored, newer, newerDirectives) else { return .forget(index) }
    return .freshen(
      index, stored.freshened(by: newer, newerDirectives, requestTime: requestTime, responseTime: now))
  }

  private func stored(
    status: Int, _ newer: FieldBlock, requestTime: Double, now: Double, namesTarget: () -> Bool
  ) -> StoredHead? {
    let newerDirectives = ResponseDirectives(newer)
    let freshness = Freshness(
      status: status, fields: newer, directives: newerDirectives, requestTime: requestTime,
      responseTime: now)
    guard let arrival,
      CacheRules.mayStore(
        method: method, request: fields, directives, status: status, fields: newer, newerDirectives,
        freshness, namesTarget: namesTarget),
      let selection = CacheSelection(
        vary: newer.contains(.vary) ? newer.values(.vary) : [], request: fields, partition: arrival)
    else { return nil }
    return StoredHead(
      status: status, fields: newer, directives: newerDirectives, freshness: freshness,
      selection: selection, requestTime: requestTime)
  }
}
