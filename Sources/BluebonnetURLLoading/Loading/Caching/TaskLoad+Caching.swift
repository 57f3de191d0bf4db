import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

// A stored response answers a request, or the server is asked; the rules are those of `CacheExchange`.
extension TaskLoad {
  private var cacheMode: CacheExchange.Mode {
    let own = state.request.cachePolicy
    switch own == .useProtocolCachePolicy ? engine.settings.requestCachePolicy : own {
    case .useProtocolCachePolicy: return .rules
    case .reloadRevalidatingCacheData: return .revalidated
    case .returnCacheDataElseLoad: return .storedElseLoaded
    case .returnCacheDataDontLoad: return .storedOnly
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return .reloaded
    }
  }

  /// A fresh response in the cache's memory, where the rules are not needed. Called on the caller's thread, before the load.
  var plainAnswer: InMemoryResponseStore.PlainAnswer? {
    guard case .ofRequest = state.task.body, state.webSocket == nil, let request = state.task.originalRequest,
      owner?.presentsCredential(for: state.task) != true
    else { return nil }
    return engine.plainAnswer(to: request)
  }

  /// The request is about to go to a server: asks the cache first, once.
  ///
  /// - Returns: false if the cache has nothing to do with it.
  func lookUpCache() -> Bool { engine.cache.map { asks($0) } ?? failIfCacheOnly() }

  /// - Parameter waitedSince: The load has waited for another one, which asked the server then.
  /// - Returns: false if the cache has nothing to do with it.
  func asks(_ session: SessionCache, waitedSince: Double? = nil) -> Bool {
    if case .some = state.caching { return false }
    guard let caching = makeCaching(session) else { return failIfCacheOnly() }
    if let waitedSince {
      caching.waitedSince = waitedSince
      caching.exchange.acceptedSince = waitedSince
    }
    state.caching = caching
    state.phase = .loading
    guard caching.exchange.asksStore else { return open(caching, session) }
    if session.isUsers { return askUsers(session, caching) }
    let storage = session.cache.storage
    for entry in storage.memory.entries(for: caching.key) { caching.add(entry) }
    guard let store = storage.store else { return open(caching, session) }
    return ask(store, caching, session)
  }

  /// Nothing is kept for such a request, and there is nothing else to go by.
  private func failIfCacheOnly() -> Bool {
    guard cacheMode == .storedOnly, state.webSocket == nil else { return false }
    refuseToLoad()
    return true
  }

  func makeCaching(_ session: SessionCache) -> LoadCaching? {
    let method = state.request.httpMethod ?? "GET"
    // A kept GET answers nothing else, an upload least of all.
    guard method == "GET" || method == "HEAD" || method == "POST", state.webSocket == nil,
      !(state.task is URLSessionUploadTask), state.task.body.resumption == nil, let url = state.request.url,
      let target = try? TargetURI.of(url)
    else { return nil }
    // Stored responses were for all, or for requests of the same configuration.
    guard wouldGoAsConfigured(to: target.origin) else { return nil }
    // A body has to be sent again with the next request, and is none that a cache knows of.
    if method != "POST", case .source = state.body { return nil }
    var fields = engine.requestBuilder.completeFields(of: state.request, state.secrets)
    if let cookies = prepared.cookies { fields["Cookie"] = cookies.text }
    let exchange = CacheExchange(
      method: method, fields: fields, mode: cacheMode,
      partition: session.partition(
        isSecure: target.origin.isSecure,
        hasOwnDelegate: state.task.hasDelegate.load(ordering: .acquiring)))
    return LoadCaching(exchange, key: StoredResponse.Key(method: "GET", target: target), target: target)
  }

  // MARK: Looking for it

  private func askUsers(_ session: SessionCache, _ caching: LoadCaching) -> Bool {
    let (cache, partition, request) = (session.cache, caching.exchange.partition, completeRequest(caching))
    let loop = engine.loop
    consult({ () -> FoundResponse? in
      cache.cachedResponse(for: request).map {
        FoundResponse($0, for: request.headerFields, partition: partition, now: loop.secondsSince1970)
      }
    }) { [self] found in
      guard !state.isOver, let caching = state.caching, let session = engine.cache else { return }
      if let found { caching.found = [found] }
      if !open(caching, session) { leaveForServer() }
    }
    return true
  }

  /// The request that a kept response answers, with every field that it may depend on.
  func completeRequest(_ caching: LoadCaching) -> URLRequest {
    var request = state.request
    request.httpMethod = "GET"
    request.headerFields = caching.exchange.fields
    return request
  }

  /// The memory answers if it can, else the store is asked and waited for.
  private func ask(_ store: any ResponseStore, _ caching: LoadCaching, _ session: SessionCache) -> Bool {
    if !caching.found.isEmpty {
      var exchange = caching.exchange
      if case .serve = begin(&exchange, caching) { return open(caching, session) }
    }
    let key = caching.key
    Task { [self] in
      // What cannot be looked up is not there.
      let readers = (try? await store.responses(for: key)) ?? []
      engine.loop.execute { [self] in
        guard !state.isOver, let caching = state.caching, let session = engine.cache else { return }
        let known = Set(caching.found.compactMap(\.id))
        caching.found += readers.filter { !known.contains($0.response.id) }
          .map { .store($0, StoredHead($0.response)) }
        if !open(caching, session) { leaveForServer() }
      }
    }
    return true
  }

  private func begin(_ exchange: inout CacheExchange, _ caching: LoadCaching) -> CacheExchange.Opening {
    exchange.begin(caching.found.compactMap(\.head), now: engine.loop.secondsSince1970)
  }

  // MARK: Going on with the stored response

  /// - Returns: false if the server is to be asked as if there were no cache.
  private func open(_ caching: LoadCaching, _ session: SessionCache) -> Bool {
    if case .object(let cached, nil)? = caching.found.first { return open(cached, caching) }
    switch begin(&caching.exchange, caching) {
    case .serve(let index, let serving):
      let found = caching.found[index]
      serve(found, serving)
      if serving.revalidates, let head = found.head { revalidate(caching.key, head.selection, session) }
      return true
    case .unavailable:
      if caching.exchange.mode == .storedOnly { refuseToLoad() } else { serveUnavailable() }
      return true
    case .forward(let conditions):
      if waitsForAnother(caching, session) { return true }
      caching.requestTime = engine.loop.secondsSince1970
      if conditions.isEmpty { return false }
      send(conditions)
      return true
    }
  }

  /// A response that did not come over HTTP: its age is unknown.
  private func open(_ cached: CachedURLResponse, _ caching: LoadCaching) -> Bool {
    switch caching.exchange.mode {
    case .storedOnly, .storedElseLoaded:
      prepared.drop()
      beginSource(CachedBody(cached.response, cached.data, of: self), nil, bodyLength: cached.data.count)
      return true
    case .rules, .revalidated, .reloaded:
      caching.found = []
      caching.requestTime = engine.loop.secondsSince1970
      return false
    }
  }

  private func refuseToLoad() {
    prepared.drop()
    finish(
      .loading(
        .resourceUnavailable, url: state.request.url, phase: .preparing,
        reason: "nothing is cached for it, and its cache policy forbids loading it"))
  }

  /// RFC 9111 §5.2.1.7.
  private func serveUnavailable() {
    prepared.drop()
    guard let url = state.request.url else { return refuseToLoad() }
    let response = HTTPURLResponse(
      url: url, statusCode: 504, minorVersion: 1, fields: CacheStatus.unavailable)
    beginSource(CachedBody(response, nil, of: self), response, bodyLength: 0)
  }

  /// Asks the server to validate the stored response. The caller's request stays as it is.
  private func send(_ conditions: [HeaderFields.Field]) {
    var request = state.request
    for field in conditions { request.setValue(field.value, forHTTPHeaderField: field.name) }
    let (body, secrets, asksFirst) = (state.body, state.secrets, state.asksFirst)
    guard engine.storageQueue != nil else {
      prepared.prepare(request, body: body, secrets, engine.requestBuilder, asksFirst: asksFirst)
      return leaveForServer()
    }
    consult({ [request, heads = engine.requestBuilder] in
      var prepared = PreparedRequest()
      prepared.prepare(request, body: body, secrets, heads, asksFirst: asksFirst)
      return prepared
    }) { [self] prepared in
      if state.isOver { return }
      self.prepared = prepared
      leaveForServer()
    }
  }

  // MARK: Serving it

  /// Serves a response found before the load began.
  func serve(_ answer: InMemoryResponseStore.PlainAnswer) {
    prepared.drop()
    beginSource(
      CachedBody(answer.response, answer.data, of: self), answer.response, bodyLength: answer.data.count)
  }

  /// A kept response answers.
  func serve(_ found: FoundResponse, _ serving: CacheServing) {
    prepared.drop()
    guard let url = state.request.url else { return refuseToLoad() }
    let response = HTTPURLResponse(
      url: url, statusCode: serving.status, minorVersion: found.minorVersion, fields: serving.fields)
    if case .store(let reader, _) = found { return serve(response, serving.body, from: reader) }
    let data = found.cached?.data ?? Data()
    let body: Data?
    switch serving.body {
    case .none: body = nil
    case .all: body = data
    case .part(let range):
      guard let part = data.part(range) else { return missed() }
      body = part
    }
    beginSource(CachedBody(response, body, of: self), response, bodyLength: body?.count ?? 0)
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
    state.phase = .loading
    if range.isEmpty { return beginSource(CachedBody(response, nil, of: self), response, bodyLength: 0) }
    Task { [self] in
      let result = await Result.reading(reader, at: range.lowerBound)
      engine.loop.execute { [self] in
        if state.isOver { return }
        guard case .success(let piece) = result, !piece.isEmpty else { return missed() }
        let first = piece.prefix(range.count)
        let rest = (range.lowerBound + Int64(first.count))..<range.upperBound
        beginSource(
          CachedBody(response, first: first, rest: rest, reader, of: self), response, bodyLength: range.count)
      }
    }
  }

  /// The found response cannot be read: it is as if there were none.
  private func missed() {
    guard let caching = state.caching else { return refuseToLoad() }
    state.phase = .loading
    caching.found = []
    if case .unavailable = caching.exchange.begin([], now: engine.loop.secondsSince1970) {
      return caching.exchange.mode == .storedOnly ? refuseToLoad() : serveUnavailable()
    }
    caching.requestTime = engine.loop.secondsSince1970
    send([])
  }

  private func beginSource(_ source: CachedBody, _ response: HTTPURLResponse?, bodyLength: Int) {
    state.phase = .loading
    state.response = response
    state.source = source
    source.begin(bodyLength: bodyLength)
  }

  /// The head of a kept response.
  func decide(onKept response: URLResponse, bodyLength: Int?) {
    guard let head = response as? HTTPURLResponse else {
      begin(response, of: response.expectedContentLength, isKept: false)
      return takeBody(of: response, bodyLength: bodyLength)
    }
    if redirects(by: head, bodyLength: bodyLength) { return }
    accept(head, bodyLength: bodyLength)
  }

  /// The body of the response is wanted, or read to be thrown away.
  var isReceiving: Bool {
    if case .receiving = state.phase { return true }
    return false
  }

  /// A piece of a stored body, perhaps all of it.
  func receive(kept data: Data) {
    if state.incoming.sink.take(data) {
      state.task.countReceived(data.count)
    } else {
      receive(data)
    }
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
