// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  // MARK: Credentials

  /// Answers challenges with a name and a password.
  ///
  /// - Parameters:
  ///   - username:    The name.
  ///   - password:    The password.
  ///   - persistence: How long the session remembers them.
  ///   - scope:       The origins with challenges to answer: the named origin unless you say otherwise.
  /// - Returns: The request.
  @discardableResult
  public func authenticate(
    username: String, password: String, persistence: URLCredential.Persistence = .forSession,
    scope: CredentialScope = .namedOrigin
  ) -> Self {
    authenticate(
      with: URLCredential(user: username, password: password, persistence: persistence), scope: scope)
  }

  /// Answers challenges with a credential.
  ///
  /// - Parameters:
  ///   - credential: The credential.
  ///   - scope:      The origins with challenges to answer: the named origin unless you say otherwise.
  /// - Returns: The request.
  @discardableResult
  public func authenticate(with credential: URLCredential, scope: CredentialScope = .namedOrigin) -> Self {
    protected.withLock {
      $0.ownRareState.credential = credential
      $0.ownRareState.credentialScope = scope
    }
    return self
  }

  package func presentsCredential(for task: URLSessionTask) -> Bool {
    protected.withLock { $0.rareState?.credential } != nil
  }

  /// The credential for a challenge, if it is one that the caller meant.
  package func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential? {
    let (credential, scope) = protected.withLock { ($0.rareState?.credential, $0.rareState?.credentialScope) }
    guard let credential, let scope else { return nil }
    switch scope {
    case .anyOrigin: return space.isProxy() ? nil : credential
    case .namedOrigin: return task.originalRequest?.url.map(space.isOrigin) == true ? credential : nil
    }
  }

  // MARK: Progress

  /// Reports, again and again, how much of the response's body has arrived. A later handler replaces it.
  ///
  /// On `underlyingQueue`, or on the queue of a response handler, the last report comes before that handler.
  ///
  /// - Parameters:
  ///   - queue:   Where `closure` is called; the main queue by default.
  ///   - closure: Called with the progress whenever bytes have moved; several moves may be told of at once.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func downloadProgress(
    queue: DispatchQueue = .main, closure: @escaping ProgressHandler
  ) -> Self {
    _ = protected.withLock { $0.setHandler(of: \.download, closure, queue: queue) }
    return self
  }

  /// Reports, again and again, how much of the request's body has left. A later handler replaces it.
  ///
  /// On `underlyingQueue`, or on the queue of a response handler, the last report comes before that handler.
  ///
  /// - Parameters:
  ///   - queue:   Where `closure` is called; the main queue by default.
  ///   - closure: Called with the progress whenever bytes have moved; several moves may be told of at once.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func uploadProgress(
    queue: DispatchQueue = .main, closure: @escaping ProgressHandler
  ) -> Self {
    _ = protected.withLock { $0.setHandler(of: \.upload, closure, queue: queue) }
    return self
  }

  // MARK: Redirects and the cache

  /// Decides about redirects in place of the session's handler. To be set once.
  ///
  /// - Parameter handler: Asked about each redirect of this request.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func redirect(using handler: any RedirectHandler) -> Self {
    protected.withLock {
      precondition($0.rareState?.redirectHandler == nil, "A request takes one redirect handler.")
      $0.ownRareState.redirectHandler = handler
    }
    return self
  }

  /// Decides about storing the response in place of the session's handler. To be set once.
  ///
  /// - Parameter handler: Asked about each response of this request that may be stored.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
    protected.withLock {
      precondition(
        $0.rareState?.cachedResponseHandler == nil, "A request takes one handler of cached responses.")
      $0.ownRareState.cachedResponseHandler = handler
    }
    return self
  }

  // MARK: Watching the requests sent

  /// Describes the request as a curl command once there is a `URLRequest`, or none can be made. Only the
  /// last handler set while waiting is called.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called.
  ///   - handler: Takes the command.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func cURLDescription(
    on queue: DispatchQueue, calling handler: @escaping @Sendable (String) -> Void
  ) -> Self {
    describe(on: queue, everyTime: false, calling: handler)
    return self
  }

  /// Describes the request as a curl command, on the session's queue, once there is a `URLRequest`.
  ///
  /// - Parameter handler: Takes the command.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
    cURLDescription(on: underlyingQueue, calling: handler)
  }

  /// Shows each `URLRequest` that is about to be sent, adaptations included.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with it.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func onURLRequestCreation(
    on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (URLRequest) -> Void
  ) -> Self {
    var hook: RequestMembers.Hooks.Hook<URLRequest>? = (queue, handler)
    let made = protected.withLock { state in
      swap(&state.ownRareState.hooks.urlRequest, &hook)
      return state.requests.last
    }
    if let made { queue.async { handler(made) } }
    return self
  }

  /// Shows each task as it is made.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with it.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func onURLSessionTaskCreation(
    on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (URLSessionTask) -> Void
  ) -> Self {
    var hook: RequestMembers.Hooks.Hook<URLSessionTask>? = (queue, handler)
    let made = protected.withLock { state in
      swap(&state.ownRareState.hooks.task, &hook)
      return state.tasks.last
    }
    if let made { queue.async { handler(made) } }
    return self
  }

  /// Calls `handler` at once if there is a `URLRequest`, or there will be none, or else, or `everyTime`, when one is made.
  func describe(
    on queue: DispatchQueue, everyTime: Bool, calling handler: @escaping @Sendable (String) -> Void
  ) {
    var hook: RequestMembers.Hooks.CURLHook? = (queue, handler, isLasting: everyTime)
    let isReady = protected.withLock { state -> Bool in
      let isReady = state.requests.last != nil || state.error != nil
      if everyTime || !isReady { swap(&state.ownRareState.hooks.curl, &hook) }
      return isReady
    }
    if isReady { queue.async { handler(self.cURLDescription()) } }
  }

  func callCURLHandler() {
    let hook = protected.withLock { state in
      defer { state.rareState?.hooks.dropSpentCurl() }
      return state.rareState?.hooks.curl
    }
    if let hook { hook.queue.async { hook.perform(self.cURLDescription()) } }
  }

  /// Calls `closure` when the request is over, at once if it is.
  func onFinish(perform closure: @escaping @Sendable () -> Void) {
    let isOver = protected.withLock { state -> Bool in
      guard state.life.phase != .done else { return true }
      state.ownRareState.hooks.finish.append(closure)
      return false
    }
    if isOver { closure() }
  }
}
