import BluebonnetFoundation

extension URLSessionConfiguration {
  /// Whether the session's cookies are sent.
  public var httpShouldSetCookies: Bool {
    get { state.withLock { $0.httpShouldSetCookies } }
    set { state.withLock { $0.httpShouldSetCookies = newValue } }
  }

  /// Which cookies of responses are stored. Works: decides over the storage's own policy, except that a storage that
  /// accepts none still accepts none. Unless it is set, it is that of `httpCookieStorage`.
  public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get {
      let values = self.values
      return values.httpCookieAcceptPolicy ?? values.httpCookieStorage?.cookieAcceptPolicy
        ?? .onlyFromMainDocumentDomain
    }
    set { state.withLock { $0.httpCookieAcceptPolicy = newValue } }
  }

  /// How many connections to one origin may be open at once.
  public var httpMaximumConnectionsPerHost: Int {
    get { state.withLock { $0.httpMaximumConnectionsPerHost } }
    set { state.withLock { $0.httpMaximumConnectionsPerHost = newValue } }
  }

  /// Where cookies are kept; `nil` for nowhere.
  public var httpCookieStorage: HTTPCookieStorage? {
    get { state.withLock { $0.httpCookieStorage } }
    set { state.withLock { $0.httpCookieStorage = newValue } }
  }

  /// Kept for source compatibility: requests are never pipelined.
  public var httpShouldUsePipelining: Bool {
    get { state.withLock { $0.httpShouldUsePipelining } }
    set { state.withLock { $0.httpShouldUsePipelining = newValue } }
  }

  /// Where credentials are looked for; `nil` for nowhere.
  public var urlCredentialStorage: URLCredentialStorage? {
    get { state.withLock { $0.urlCredentialStorage } }
    set { state.withLock { $0.urlCredentialStorage = newValue } }
  }

  /// Where responses are kept; `nil` for nowhere.
  public var urlCache: URLCache? {
    get { state.withLock { $0.urlCache } }
    set { state.withLock { $0.urlCache = newValue } }
  }

  /// How stored responses may stand in for loads.
  public var requestCachePolicy: URLRequest.CachePolicy {
    get { state.withLock { $0.requestCachePolicy } }
    set { state.withLock { $0.requestCachePolicy = newValue } }
  }

  /// Fields that every request carries unless it states its own.
  public var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { values.httpAdditionalHeaders }
    set {
      // Boxed: `Any` may not cross into the mutex, though only constants are kept in it.
      var changed = values
      changed.httpAdditionalHeaders = newValue
      state.withLock { [changed] in $0 = changed }
    }
  }

  /// Classes that may take over loads.
  public var protocolClasses: [AnyClass]? {
    get { values.protocolClasses }
    set {
      // Boxed: `Any` may not cross into the mutex, though only constants are kept in it.
      var changed = values
      changed.protocolClasses = newValue
      state.withLock { [changed] in $0 = changed }
    }
  }
}
