// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// Takes one request through the cache: looks for stored responses, serves one, or sends the request on, and looks at what the server
/// says. Loads that the cache has nothing to do with have none.
///
///     begin ─▶ look up: the memory, then the store ─▶ serve
///                                                 └─▶ wait for another that asks the same ─▶ begin anew
///                                                 └─▶ the request passes, perhaps with conditions
///     examine ─▶ serve, or the response passes and may be kept (`CacheOffer`)
///
/// The rules are those of `CacheExchange`. Touched only while the loop is held.
final class CacheDriver: CollapsedWaiter {
  private unowned let load: Load
  let session: SessionCache
  /// The rules.
  var exchange: CacheExchange
  /// The key that the response is stored under.
  let key: StoredResponse.Key
  private let target: TargetURI
  /// The responses found under it, by the indices of the rules.
  private(set) var found: [FoundResponse] = []
  /// The conditions of the request that validates one of them.
  private var conditions: [HeaderFields.Field] = []
  /// The time when the server was asked, in seconds since 1970.
  private var requestTime = 0.0
  /// The head that the response is to be stored with.
  var record: StoredHead?
  /// Others wait for the response under this name.
  private var leaderName: SessionCache.Collapsed.Name?
  /// The load has waited for another one, which asked the server then.
  private var waitedSince: Double?
  private var hasLeft = false
  /// Takes a body that is too large for the memory.
  var writer: CacheWriter?
  /// Answers when the server's bytes are out of the way.
  private var answer: (found: FoundResponse, serving: CacheServing)?

  init(
    of load: Load, in session: SessionCache, _ exchange: CacheExchange, target: TargetURI
  ) {
    self.load = load
    self.session = session
    self.exchange = exchange
    self.target = target
    key = StoredResponse.Key(method: "GET", target: target)
  }

  /// Nil for a request that the cache has nothing to do with.
  static func make(for load: Load, in session: SessionCache) -> CacheDriver? {
    let method = load.state.request.httpMethod ?? "GET"
    // A kept GET answers nothing else, an upload least of all.
    guard method == "GET" || method == "HEAD" || method == "POST", load.state.webSocket == nil,
      !(load.state.task is URLSessionUploadTask), load.state.task.body.resumption == nil,
      let url = load.state.request.url,
      let target = try? TargetURI.of(url)
    else { return nil }
    // The response is not one of what the URL names.
    if load.state.request.requestTarget != nil { return nil }
    if let host = load.state.request.rawOptions?.host, host != .usual { return nil }
    // Stored responses were for all, or for requests of the same configuration.
    guard IdentityQuestions(load: load).wouldGoAsConfigured(to: target.origin) else { return nil }
    // A body has to be sent again with the next request, and is none that a cache knows of.
    if method != "POST", case .source = load.state.body { return nil }
    var fields = load.engine.requestBuilder.completeFields(of: load.state.request, load.state.credentials)
    if let cookies = load.prepared.cookies { fields["Cookie"] = cookies.text }
    let exchange = CacheExchange(
      method: method, fields: fields,
      mode: CacheExchange.Mode(
        of: load.state.request, otherwise: load.engine.settings.requestCachePolicy),
      partition: session.partition(
        isSecure: target.origin.isSecure,
        hasOwnDelegate: load.state.task.hasDelegate.load(ordering: .acquiring)))
    return CacheDriver(of: load, in: session, exchange, target: target)
  }

  private var now: Double { load.engine.loop.secondsSince1970 }

  /// The request is about to go to the server, perhaps once more. It may have been made anew, without the conditions.
  func requestIsSent() {
    (requestTime, askedFor) = (now, ResourceChanges.now)
    if exchange.validates { add(conditions) }
  }

  /// The moment from which the response speaks, by `ResourceChanges.now`: that of the request. A POST's response is newer than the
  /// change that it makes.
  private(set) var askedFor = Double.infinity

  // MARK: Looking for a stored response

  /// - Returns: false if the server is to be asked as if there were no cache.
  func begin() -> Bool {
    load.state.machine.load()
    guard exchange.asksStore else { return open() }
    if session.isUsers { return askUsers() }
    let storage = session.cache.storage
    for entry in storage.memory.entries(for: key) { add(entry) }
    guard let store = storage.store else { return open() }
    return ask(store)
  }

  /// Adds the memory's response. The rules know nothing of one that did not come over HTTP: it counts where there is no other.
  private func add(_ entry: InMemoryResponseStore.Entry) {
    guard entry.response.status == 0 else {
      if case .object? = found.first { found = [] }
      return found.append(.memory(entry))
    }
    let partition = exchange.partition
    guard found.isEmpty, entry.head.selection.answers(exchange.fields, partition: partition) else { return }
    found = [.object(entry.cached, nil)]
  }

  private func askUsers() -> Bool {
    let (cache, partition, request) = (session.cache, exchange.partition, completeRequest)
    load.consult({ [loop = load.engine.loop] () -> FoundResponse? in
      cache.cachedResponse(for: request).map {
        FoundResponse($0, for: request.headerFields, partition: partition, now: loop.secondsSince1970)
      }
    }) { [load, driver = LoopConfined(self)] found in
      if load.state.isOver { return }
      driver.value.go(on: found.map { [$0] } ?? [])
    }
    return true
  }

  /// The request that a kept response answers, with every field that it may depend on.
  var completeRequest: URLRequest {
    var request = load.state.request
    request.httpMethod = "GET"
    request.headerFields = exchange.fields
    return request
  }

  /// The memory answers if it can, else the store is asked and waited for.
  private func ask(_ store: any ResponseStore) -> Bool {
    if !found.isEmpty {
      var trial = exchange
      if case .serve = trial.begin(heads, now: now) { return open() }
    }
    Task { [load, key, driver = LoopConfined(self)] in
      // What cannot be looked up is not there.
      let readers = (try? await store.responses(for: key)) ?? []
      load.engine.loop.execute {
        if load.state.isOver { return }
        let known = Set(driver.value.found.compactMap(\.id))
        driver.value.go(
          on: readers.filter { !known.contains($0.response.id) }.map { .store($0, StoredHead($0.response)) })
      }
    }
    return true
  }

  /// Goes on with what has been found, and these.
  private func go(on others: [FoundResponse]) {
    found += others
    if !open() { load.requestPassed() }
  }

  private var heads: [StoredHead] { found.compactMap(\.head) }

  // MARK: Going on with it

  /// - Returns: false if the server is to be asked as if there were no cache.
  private func open() -> Bool {
    if case .object(let cached, nil)? = found.first { return open(cached) }
    switch exchange.begin(heads, now: now) {
    case .serve(let index, let serving):
      let found = found[index]
      serve(found, serving)
      if serving.revalidates, let head = found.head { revalidate(head.selection) }
      return true
    case .unavailable:
      serveNothing()
      return true
    case .forward(let conditions):
      if waitsForAnother { return true }
      self.conditions = conditions
      return false
    }
  }

  /// A response that did not come over HTTP: its age is unknown.
  private func open(_ cached: CachedURLResponse) -> Bool {
    switch exchange.mode {
    case .storedOnly, .storedElseLoaded:
      load.serve(.whole(cached.data), of: cached.response)
      return true
    case .rules, .revalidated, .reloaded:
      found = []
      return false
    }
  }

  /// Has the prepared request ask the server to validate the stored response. The caller's request stays as it is.
  private func add(_ conditions: [HeaderFields.Field]) {
    // They hold nothing that must not be sent (`StoredHead.conditions`).
    guard !conditions.isEmpty, let fields = try? EncodedFields(conditions.map { ($0.name, $0.value) }) else {
      return
    }
    load.prepared.exchange?.encodedHead.add(fields)
  }

  /// `stale-while-revalidate` (RFC 5861 §3): asks for a kept response anew, by a task of its own. Whatever the session's delegate has to
  /// say to connections and servers it says to that one, too.
  ///
  /// - Parameter selection: What tells the kept response from others of its address.
  private func revalidate(_ selection: CacheSelection) {
    let variant = SessionCache.Variant(key: key, selection: selection)
    guard let owner = load.state.task as? URLSessionDataTask, session.begins(variant) else { return }
    let (listener, loop, session) = (load.listener, load.engine.loop, session)
    var request = load.state.request
    request.cachePolicy = .reloadRevalidatingCacheData
    // Not in loop context: the task is made like any other.
    DispatchQueue.global().async { [request] in
      let task = owner.session.dataTask(with: request) { _, _, _ in }
      loop.execute { session.add(.init(variant: variant, task: owner, listener: listener), for: task) }
      task.resume()
    }
  }

  // MARK: Requests that ask the same (URLSessionConfiguration.collapsesRequests)

  /// Whether the load waits for another that asks the same. If not, others may wait for this one.
  private var waitsForAnother: Bool {
    guard session.collapses, waitedSince == nil, exchange.method == "GET", exchange.mode == .rules else {
      return false
    }
    let name = SessionCache.Collapsed.Name(key: key, fields: exchange.fields)
    if session.collapsed.join(name, self, mayLead: mayLead, now: now) { return true }
    if mayLead { leaderName = name }
    return false
  }

  /// No load should wait for one that reads at a pace of its own, or is suspended.
  private var mayLead: Bool {
    if load.isSuspended || load.state.incoming.holds.contains(.slowReader) { return false }
    if case .reader = load.state.incoming.sink { return false }
    return true
  }

  /// This load's response, if any, is stored: the loads waiting for it look for it.
  ///
  /// - Parameter keeping: The task after which it is stored; nil for now. This load does not wait for it.
  func completeCollapsed(after keeping: Task<Void, Never>? = nil) {
    guard let name = leaderName.take() else { return }
    guard let keeping else { return session.complete(name) }
    Task { [loop = load.engine.loop, session] in
      await keeping.value
      loop.execute { session.complete(name) }
    }
  }

  /// The other one has come to its end. Once is enough: if its response cannot be used, this load asks for itself.
  func lookUpCacheAgain(waitedSince: Double) {
    if hasLeft || load.state.isOver { return }
    (self.waitedSince, exchange.acceptedSince, found) = (waitedSince, waitedSince, [])
    if !begin() { load.requestPassed() }
  }

  /// The load has to do with the cache no more, or with another address there. It may be gone from here on.
  func leave() {
    hasLeft = true
    completeCollapsed()
  }

  // MARK: Serving a stored response

  private func serve(_ found: FoundResponse, _ serving: CacheServing) {
    guard let url = load.state.request.url else { return load.refuseUncached() }
    let response = HTTPURLResponse(
      url: url, statusCode: serving.status, minorVersion: found.minorVersion, fields: serving.fields)
    if case .store(let reader, _) = found { return serve(response, serving.body, from: reader) }
    let data = found.cached?.data ?? Data()
    switch serving.body {
    case .none: load.serve(.none, of: response)
    case .all: load.serve(.whole(data), of: response)
    case .part(let range):
      guard let part = data.part(range) else { return missed() }
      load.serve(.whole(part), of: response)
    }
  }

  private func serve(
    _ response: HTTPURLResponse, _ body: CacheServing.Body, from reader: any StoredResponseReader
  ) {
    let length = reader.response.bodyLength ?? -1
    let range: Range<Int64>
    switch body {
    case .none: range = 0..<0
    case .all where length >= 0: range = 0..<length
    case .part(let part) where part.upperBound <= length: range = part
    // There is less than its head says, or its length is unknown.
    case .all, .part: return missed()
    }
    // The server's bytes are out of the way.
    load.state.machine.load()
    if range.isEmpty { return load.serve(.none, of: response) }
    Task { [load, driver = LoopConfined(self)] in
      let result = await Result.reading(reader, at: range.lowerBound)
      load.engine.loop.execute {
        if load.state.isOver { return }
        guard case .success(let piece) = result, !piece.isEmpty else {
          return driver.value.missed()
        }
        let first = piece.prefix(range.count)
        let rest = (range.lowerBound + Int64(first.count))..<range.upperBound
        load.serve(.pieces(first: first, rest: rest, reader), of: response)
      }
    }
  }

  /// The found response cannot be read: it is as if there were none.
  private func missed() {
    load.state.machine.load()
    found = []
    if case .unavailable = exchange.begin([], now: now) { return serveNothing() }
    // Made anew, since it may have been sent already.
    load.prepare(load.state.request) { load in
      load.run(load.state.machine.send(by: .behindCache(for: load)))
    }
  }

  /// Nothing answers, and the server is not to be asked (RFC 9111 §5.2.1.7).
  private func serveNothing() {
    guard exchange.mode != .storedOnly, let url = load.state.request.url else { return load.refuseUncached() }
    let response = HTTPURLResponse(
      url: url, statusCode: 504, minorVersion: 1, fields: CacheStatus.unavailable)
    load.serve(.none, of: response)
  }

  // MARK: The server's response

  /// Looks at a server's response.
  func examine(_ response: HTTPURLResponse) {
    if let proved = load.state.credentials.proved { exchange.proved(by: proved) }
    // The change that it makes has been noted.
    if exchange.method == "POST" { askedFor = ResourceChanges.now.nextUp }
    load.run(
      load.state.machine.examine(
        &exchange, requestTime: requestTime, now: now,
        namesTarget: { target.isNamed(by: response.fields.first(.contentLocation)) }))
  }

  /// A stored response answers in the place of the server's.
  func serve(_ index: Int, _ serving: CacheServing, _ change: CacheExchange.Change) {
    completeCollapsed(after: carryOut(change))
    answer = (found[index], serving)
    load.discard(load.state.response, then: .serve)
  }

  /// The server's response is out of the way.
  func serveAnswer() {
    guard let answer = answer.take() else { return assertionFailure("a served response was found before") }
    serve(answer.found, answer.serving)
  }

  /// Whether a stored response stands in for a server that cannot be reached (RFC 5861 §4); then it can be served. One that answers in
  /// the place of the right one, or is not trusted, is not hidden behind it.
  func standsIn(for error: TransportError) -> Bool {
    guard load.state.ending == nil, case .loading = load.state.phase, error.isOutage else { return false }
    guard let (index, serving) = exchange.failed(now: now) else { return false }
    answer = (found[index], serving)
    return true
  }

  /// The server's response may be stored, once it is here.
  func keep(_ record: StoredHead?, _ change: CacheExchange.Change) {
    _ = carryOut(change)
    self.record = record
    if record == nil { completeCollapsed() }
  }

  // MARK: A copy of the body

  /// Keeps a copy of the body, in memory or where the store takes larger ones.
  func copy(_ bytes: UnsafeRawBufferPointer) {
    if let writer {
      if writer.append(Data(bytes)) { load.hold(.store) }
      return
    }
    if (load.state.incoming.copy?.count ?? 0) + bytes.count <= load.state.incoming.copyLimit {
      return load.state.incoming.copy(bytes)
    }
    guard let writer = makeWriter() else {
      load.state.incoming.dropCopy()
      completeCollapsed()
      return
    }
    self.writer = writer
    let isFull = writer.append(load.state.incoming.takeCopy())
    if writer.append(Data(bytes)) || isFull { load.hold(.store) }
  }

  private func makeWriter() -> CacheWriter? {
    guard !session.isUsers, session.cache.storage.store != nil, exchange.trustSource == .anchors, let record,
      record.part == nil, let response = load.state.response, let url = response.url
    else { return nil }
    let abandoned: () -> Void = { [weak self] in self?.completeCollapsed() }
    return CacheWriter(
      StoredResponse(record, key: key, of: response, url: url), in: session.cache.storage,
      askedFor: askedFor, loop: load.engine.loop,
      gaveUp: { [gaveUp = LoopConfined(abandoned)] in gaveUp.value() },
      release: { [weak load] in load?.release(.store) })
  }

  // MARK: The rest

  /// Whether a response of a caller's class, loaded without the cache, may be stored.
  func keeps(_ response: HTTPURLResponse) -> Bool {
    _ = exchange.begin([], now: now)
    requestIsSent()
    guard
      case .pass(let record, _) = exchange.received(
        status: response.statusCode, fields: response.fields, requestTime: requestTime, now: requestTime,
        namesTarget: { target.isNamed(by: response.fields.first(.contentLocation)) })
    else { return false }
    self.record = record
    return record != nil
  }

  /// Carries out a response's change to the stored one.
  ///
  /// - Returns: The task after which that can be found; nil for at once.
  private func carryOut(_ change: CacheExchange.Change) -> Task<Void, Never>? {
    switch change {
    case .none: return nil
    case .freshen(let index, let head): return freshen(found[index], head)
    case .forget:
      forget()
      return nil
    }
  }

  private func forget() {
    let cache = session.cache
    guard session.isUsers else { return cache.storage.remove(key) }
    let request = completeRequest
    load.consult({ cache.removeCachedResponse(for: request) }, then: {})
  }

  private func freshen(_ found: FoundResponse, _ head: StoredHead) -> Task<Void, Never>? {
    switch found {
    case .memory(let entry):
      session.cache.storage.update(entry.response.freshened(head), head)
      return nil
    case .store(let reader, _): return session.cache.storage.update(reader.response.freshened(head))
    case .object(let cached, _):
      guard let url = cached.response.url else { return nil }
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, minorVersion: found.minorVersion, fields: head.fields)
      let fresh = CachedURLResponse(
        response: response, data: cached.data, userInfo: cached.userInfo, storagePolicy: cached.storagePolicy)
      let (cache, request) = (session.cache, completeRequest)
      load.consult({ cache.storeCachedResponse(fresh, for: request) }, then: {})
      return nil
    }
  }
}

extension CacheExchange.Mode {
  /// That of a request; where it states none, the session's.
  init(of request: URLRequest, otherwise usual: URLRequest.CachePolicy) {
    let own = request.cachePolicy
    switch own == .useProtocolCachePolicy ? usual : own {
    case .useProtocolCachePolicy: self = .rules
    case .reloadRevalidatingCacheData: self = .revalidated
    case .returnCacheDataElseLoad: self = .storedElseLoaded
    case .returnCacheDataDontLoad: self = .storedOnly
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: self = .reloaded
    }
  }
}

extension TargetURI {
  /// Whether a reference, relative to this target, names it.
  fileprivate func isNamed(by reference: String?) -> Bool {
    let host = origin.host.utf8.contains(Byte.colon) ? "[\(origin.host)]" : origin.host
    let base = "\(origin.isSecure ? "https" : "http")://\(host):\(origin.port)\(path)"
    guard let url = reference.flatMap({ Location.resolve($0, against: base) }).flatMap({ URL(string: $0) }),
      let other = try? TargetURI(url)
    else { return false }
    return other.origin == origin && other.path == path
  }
}

extension CacheStatus {
  /// The fields of an answer that says that there is none.
  fileprivate static var unavailable: FieldBlock {
    FieldBlock([
      ("Content-Length", "0"),
      ("Cache-Status", "\(name); fwd=\(Reason.request.rawValue); detail=only-if-cached"),
    ])
  }
}

extension FoundResponse {
  /// Tells writings apart, for a store that counts them.
  fileprivate var id: UInt64? {
    switch self {
    case .memory(let entry): entry.response.id
    case .store(let reader, _): reader.response.id
    case .object: nil
    }
  }
}

extension Data {
  /// Some of its bytes; nil if not all of them are there.
  fileprivate func part(_ range: Range<Int64>) -> Data? {
    guard range.lowerBound >= 0, range.upperBound <= Int64(count) else { return nil }
    return self[(startIndex + Int(range.lowerBound))..<(startIndex + Int(range.upperBound))]
  }
}

extension TransportError {
  /// The server, or the way to it, does not work: what a gateway would answer with 502 or 504.
  var isOutage: Bool {
    switch cause {
    case .unresolvedHost, .unconnected, .network, .noResponse, .truncated, .malformed, .timedOut,
      .proxyRefused,
      .socks:
      true
    default: false
    }
  }
}
