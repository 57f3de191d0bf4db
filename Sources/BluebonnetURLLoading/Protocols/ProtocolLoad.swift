// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// The events of a load by a class, told while the loop is held.
protocol ProtocolLoadClient: AnyObject {
  func load(_ source: ProtocolLoad, didReceive response: URLResponse, mayBeKept: Bool)

  func load(_ source: ProtocolLoad, didReceive data: Data)

  /// The class sends the task elsewhere; nothing more is told until that has been decided upon.
  func load(_ source: ProtocolLoad, wasRedirectedTo request: URLRequest, by response: URLResponse)

  /// The answer may come from any thread.
  func load(
    _ source: ProtocolLoad, didReceive challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The last call.
  func load(_ source: ProtocolLoad, didFinishWith error: (any Error)?)
}

/// One load by a `URLProtocol` class: what it tells its client is passed on in order, as fast as the task takes it.
///
/// The class is called on a queue of its own, since it may block; what it says is handled in loop context.
// Unchecked: touched only while the loop is held, but for constants, and the instance, which belongs to the queue.
final class ProtocolLoad: ResponseSource, @unchecked Sendable {
  enum Event: Sendable {
    case response(URLResponse, URLCache.StoragePolicy)
    case data(Data)
    case valid(CachedURLResponse)
    case finished
    case failed(any Error)
    case redirected(URLRequest, URLResponse)
    case challenged(URLAuthenticationChallenge)
    case withdrawn(URLAuthenticationChallenge)
  }

  private let loop: EventLoop
  private let type: URLProtocol.Type
  private let isPaced: Bool
  private let queue = DispatchQueue(label: "bluebonnet.protocol")
  private var instance: URLProtocol?
  /// Nil once it has ended.
  private var client: (any ProtocolLoadClient)?
  private var url: URL?
  private var holds: Holds = []
  private var events: [Event] = []
  private var next = 0
  private var isDraining = false
  /// A class that reads on only when it is asked has been asked.
  private var isAsked = true
  private var hasResponse = false
  /// The response is a redirect of the class's own that was not followed.
  private var hasUnfollowedRedirect = false
  /// The time that the class may be silent, in nanoseconds, and the start of its silence; and the timer that ends it.
  private var silenceLimit: UInt64?
  private var lastNews = MonotonicTime(nanoseconds: 0)
  private var silenceTimer: TimerToken?
  /// Challenges of the class's that have been neither answered nor withdrawn: it waits for the answer. Each raising of one
  /// has a number, so that an answer to a withdrawn challenge is none when the same one is raised again.
  private var openChallenges: [Int: ObjectIdentifier] = [:]
  private var challengeCount = 0
  /// A body that is produced while the class reads it.
  private var lentBody: StreamedBodyInputStream?
  private var valid: CachedURLResponse?

  init(_ type: URLProtocol.Type, client: any ProtocolLoadClient, loop: EventLoop) {
    self.type = type
    self.client = client
    self.loop = loop
    isPaced = type is any PacedProtocol.Type
  }

  /// - Parameter silenceLimit: How long the class may say nothing, in nanoseconds; nil for as long as it likes.
  func start(
    _ task: URLSessionTask, _ request: URLRequest, cached: CachedURLResponse?, holds: Holds,
    silenceLimit: UInt64?
  ) {
    url = request.url
    self.holds = holds
    self.silenceLimit = silenceLimit
    lentBody = request.httpBodyStream as? StreamedBodyInputStream
    listenForNews()
    queue.async { [self] in
      let instance = type.init(
        request: type.canonicalRequest(for: request), cachedResponse: cached, client: self)
      instance.loads(task)
      self.instance = instance
      instance.startLoading()
    }
  }

  // MARK: What the load asks for

  /// The class's phase, as far as it has said.
  var phase: LoadingPhase { hasResponse ? .receivingBody : .waiting }
  /// The class's protocol is its own affair.
  var expectsContinue: Bool { false }
  func isWorthDraining(_ response: HTTPURLResponse) -> Bool { false }

  func hold(_ reasons: Holds) { holds.formUnion(reasons) }

  func release(_ reasons: Holds) {
    holds.subtract(reasons)
    guard holds.isEmpty else { return }
    lastNews = loop.now
    drain()
  }

  func cancel() { end(with: URLError(.cancelled)) }

  /// A redirect that is not followed is the response.
  func accept(_ response: URLResponse) {
    hasUnfollowedRedirect = true
    accept(response, .notAllowed)
  }

  // MARK: What the class says

  private func take(_ event: Event) {
    if client == nil { return }
    lastNews = loop.now
    isAsked = false
    events.append(event)
    drain()
  }

  /// Hands over the bytes received, until the task has enough for now.
  private func drain() {
    if isDraining { return }
    isDraining = true
    while client != nil, next < events.count, holds.isEmpty {
      let event = events[next]
      next += 1
      handle(event)
    }
    isDraining = false
    guard client != nil, next == events.count else { return }
    events.removeAll(keepingCapacity: true)
    next = 0
    askForMore()
  }

  private func askForMore() {
    guard isPaced, !isAsked, hasResponse, holds.isEmpty else { return }
    isAsked = true
    queue.async { [self] in (instance as? any PacedProtocol)?.loadMore() }
  }

  private func handle(_ event: Event) {
    switch event {
    case .response(let response, let policy): accept(response, policy)
    case .data(let data):
      guard hasResponse else { return fail("delivered a body before a response") }
      client?.load(self, didReceive: data)
    case .valid(let cached): valid = cached
    case .finished: finish()
    case .failed(let error): end(with: error)
    case .redirected(let request, let response): redirected(to: request, by: response)
    case .challenged(let challenge): challenged(challenge)
    // A withdrawn challenge takes no answer.
    case .withdrawn(let challenge):
      let identity = ObjectIdentifier(challenge)
      openChallenges = openChallenges.filter { $0.value != identity }
    }
  }

  private func accept(_ response: URLResponse, _ policy: URLCache.StoragePolicy) {
    if hasResponse {
      // Its body would be mixed with that of the first.
      if !hasUnfollowedRedirect { fail("told of a second response") }
      return
    }
    hasResponse = true
    client?.load(self, didReceive: response, mayBeKept: policy != .notAllowed)
  }

  private func redirected(to request: URLRequest, by response: URLResponse) {
    if hasResponse {
      // The body of the other response would come behind what there is of this one's.
      if !hasUnfollowedRedirect { fail("told of a redirect behind a response") }
      return
    }
    client?.load(self, wasRedirectedTo: request, by: response)
  }

  private func finish() {
    if hasResponse { return end(with: nil) }
    guard let valid else { return fail("finished without a response") }
    // What the cache has is the answer.
    events = [.response(valid.response, .notAllowed), .data(valid.data), .finished]
    next = 0
  }

  private func fail(_ reason: String) {
    end(
      with: URLError.loading(
        .badServerResponse, url: url, phase: phase, reason: "the URLProtocol \(type) \(reason)"))
  }

  // MARK: Silence

  /// One timer at a time looks whether the class has said anything since; whatever holds its body back, or an answer that
  /// it waits for, stops the clock.
  private func listenForNews() {
    lastNews = loop.now
    guard let silenceLimit, !isPaced else { return }
    armSilenceTimer(at: lastNews.adding(nanoseconds: Int64(clamping: silenceLimit)))
  }

  private func armSilenceTimer(at deadline: MonotonicTime) {
    silenceTimer = loop.schedule(at: deadline) { [self] in
      silenceTimer = nil
      silenceMayBeOver()
    }
  }

  private func silenceMayBeOver() {
    guard client != nil, let silenceLimit else { return }
    let deadline = lastNews.adding(nanoseconds: Int64(clamping: silenceLimit))
    let isExcused = !holds.isEmpty || !openChallenges.isEmpty || next < events.count
    if !isExcused, deadline <= loop.now {
      let seconds = Double(silenceLimit) / 1e9
      return end(
        with: URLError.loading(
          .timedOut, url: url, phase: phase,
          reason: "the URLProtocol \(type) said nothing for \(seconds.asSeconds)", fault: .caller))
    }
    armSilenceTimer(at: isExcused ? loop.now.adding(nanoseconds: Int64(clamping: silenceLimit)) : deadline)
  }

  /// The one way out. A class is stopped when it has finished, too, as on Apple's systems.
  private func end(with error: (any Error)?) {
    guard let client = client.take() else { return }
    if let timer = silenceTimer.take() { loop.cancel(timer) }
    events = []
    next = 0
    // A class that waits for more of it waits no longer.
    lentBody.take()?.close()
    queue.async { [self] in
      instance?.stopLoading()
      instance = nil
    }
    client.load(self, didFinishWith: error)
  }

  private func challenged(_ challenge: URLAuthenticationChallenge) {
    guard let sender = challenge.sender else {
      return end(
        with: URLError.loading(
          .userAuthenticationRequired, url: url, phase: .waiting,
          reason: "the URLProtocol asks for a credential and names no sender to take it"))
    }
    challengeCount += 1
    let number = challengeCount
    openChallenges[number] = ObjectIdentifier(challenge)
    client?.load(self, didReceive: challenge) { [self] disposition, credential in
      loop.execute { [self] in
        // It may have been withdrawn.
        guard openChallenges.removeValue(forKey: number) != nil else { return }
        lastNews = loop.now
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
    loop.enqueue { [self] in take(event) }
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

  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
    tell(.withdrawn(challenge))
  }
}
