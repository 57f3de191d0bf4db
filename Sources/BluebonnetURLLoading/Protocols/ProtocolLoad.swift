import BluebonnetFoundation

/// One load by a `URLProtocol` class: what it tells its client is passed on in order, as fast as the task takes it.
///
/// The class is called on a queue of its own, since it may block; what it says is handled in loop context.
// Unchecked: touched only while the loop is held, but for constants, and the instance, which belongs to the queue.
final class ProtocolLoad: @unchecked Sendable {
  enum Event: Sendable {
    case response(URLResponse, URLCache.StoragePolicy)
    case data(Data)
    case valid(CachedURLResponse)
    case finished
    case failed(any Error)
    case redirected(URLRequest, URLResponse)
    case challenged(URLAuthenticationChallenge)
  }

  let load: TaskLoad
  let queue = DispatchQueue(label: "bluebonnet.protocol")
  private var instance: URLProtocol?
  private var events: [Event] = []
  private var next = 0
  private var isStopped = false
  private var isDraining = false
  /// A class that reads on only when it is asked has been asked.
  private var isAsked = true
  private var isPaced = false
  private var hasResponse = false
  private var valid: CachedURLResponse?

  init(_ load: TaskLoad) { self.load = load }

  /// What the class is about, as far as it has said.
  var phase: LoadingPhase { hasResponse ? .receivingBody : .waiting }

  func start(_ type: URLProtocol.Type, _ request: URLRequest, cached: CachedURLResponse?) {
    isPaced = type is any PacedProtocol.Type
    let task = load.task
    queue.async { [self] in
      let instance = type.init(
        request: type.canonicalRequest(for: request), cachedResponse: cached, client: self)
      instance.loads(task)
      self.instance = instance
      instance.startLoading()
    }
  }

  /// Nothing more is wanted. A class is stopped when it has finished, too, as on Apple's systems.
  func stop() {
    if isStopped { return }
    isStopped = true
    events = []
    load.addLocalTransaction()
    queue.async { [self] in
      instance?.stopLoading()
      instance = nil
    }
  }

  func take(_ event: Event) {
    if isStopped { return }
    isAsked = false
    events.append(event)
    drain()
  }

  /// Hands over what has come in, until the task has enough for now.
  func drain() {
    if isDraining { return }
    isDraining = true
    while !isStopped, next < events.count, load.takesMore {
      let event = events[next]
      next += 1
      handle(event)
    }
    isDraining = false
    guard !isStopped, next == events.count else { return }
    events.removeAll(keepingCapacity: true)
    next = 0
    askForMore()
  }

  private func askForMore() {
    guard isPaced, !isAsked, hasResponse, load.takesMore else { return }
    isAsked = true
    queue.async { [self] in (instance as? any PacedProtocol)?.loadMore() }
  }

  private func handle(_ event: Event) {
    switch event {
    case .response(let response, let policy): accept(response, policy)
    case .data(let data):
      guard hasResponse else { return fail("delivered a body before a response") }
      load.receive(data)
    case .valid(let cached): valid = cached
    case .finished: finish()
    case .failed(let error): load.end(with: error)
    case .redirected(let request, let response): redirected(to: request, response)
    case .challenged(let challenge): challenged(challenge)
    }
  }

  private func accept(_ response: URLResponse, _ policy: URLCache.StoragePolicy) {
    if hasResponse { return }
    hasResponse = true
    load.accept(local: response, isKept: policy != .notAllowed)
  }

  private func finish() {
    if hasResponse { return load.finish(nil) }
    guard let valid else { return fail("finished without a response") }
    // What the cache has is the answer.
    events[next...].removeAll()
    next = 0
    events = [.response(valid.response, .notAllowed), .data(valid.data), .finished]
  }

  private func fail(_ reason: String) {
    load.finish(
      URLError.loading(
        .badServerResponse, url: load.request.url, phase: .waiting, reason: "the URLProtocol \(reason)"))
  }
}

// Where the class sends the task, and what it asks.
extension ProtocolLoad {
  private func redirected(to proposed: URLRequest, _ response: URLResponse) {
    let detour = load.ownDetour
    let limit = load.engine.settings.redirectLimit
    guard detour.redirects < limit else {
      return load.finish(
        URLError.loading(
          .httpTooManyRedirects, url: proposed.url, phase: .redirecting,
          reason: "more than \(limit) redirects"))
    }
    detour.redirects += 1
    load.phase = .deciding
    load.hold(.decision)
    guard let listener = load.listener, let head = response as? HTTPURLResponse else {
      return decided(proposed, response)
    }
    listener.executor.run { [self, task = load.task] in
      listener.task(task, willFollow: head, with: proposed) { [self] chosen in
        load.engine.loop.execute { [self] in decided(chosen, response) }
      }
    }
  }

  private func decided(_ chosen: URLRequest?, _ response: URLResponse) {
    guard !isStopped, case .deciding = load.phase else { return }
    load.phase = .loading
    guard let chosen else {
      // Not followed: the redirect itself is the response.
      accept(response, .notAllowed)
      return load.releaseDecision()
    }
    stop()
    load.detour?.protocolLoad = nil
    load.releaseDecision()
    load.follow(chosen)
  }

  private func challenged(_ challenge: URLAuthenticationChallenge) {
    guard let sender = challenge.sender else {
      return load.finish(
        URLError.loading(
          .userAuthenticationRequired, url: load.request.url, phase: .waiting,
          reason: "the URLProtocol asks for a credential and names no sender to take it"))
    }
    let queue = queue
    guard let listener = load.listener else {
      return queue.async { sender.performDefaultHandling(for: challenge) }
    }
    listener.executor.run { [task = load.task] in
      listener.task(task, didReceive: challenge) { disposition, credential in
        queue.async {
          switch (disposition, credential) {
          case (.useCredential, let credential?): sender.use(credential, for: challenge)
          case (.useCredential, nil): sender.continueWithoutCredential(for: challenge)
          case (.performDefaultHandling, _): sender.performDefaultHandling(for: challenge)
          case (.cancelAuthenticationChallenge, _): sender.cancel(challenge)
          case (.rejectProtectionSpace, _): sender.rejectProtectionSpaceAndContinue(with: challenge)
          }
        }
      }
    }
  }
}

extension ProtocolLoad: URLProtocolClient {
  private func tell(_ event: Event) {
    // Never at once: what one thread says stays in order.
    load.engine.loop.enqueue { [self] in take(event) }
  }

  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
  ) { tell(.redirected(request, redirectResponse)) }

  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
    tell(.valid(cachedResponse))
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy
  ) { tell(.response(response, policy)) }

  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { tell(.data(data)) }

  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { tell(.finished) }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { tell(.failed(error)) }

  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    tell(.challenged(challenge))
  }

  /// Whoever withdraws a question takes no answer to it.
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
