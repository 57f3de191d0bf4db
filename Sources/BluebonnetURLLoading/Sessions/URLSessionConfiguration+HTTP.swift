// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionConfiguration {
  /// Whether the session's cookies are sent; true by default. Works.
  public var httpShouldSetCookies: Bool {
    get { state.withLock { $0.httpShouldSetCookies } }
    set { state.withLock { $0.httpShouldSetCookies = newValue } }
  }

  /// The cookies of responses that are stored. Works: decides over the storage's own policy, except that a storage that
  /// accepts none still accepts none. Unless it is set, it is that of `httpCookieStorage`.
  public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get {
      let settings = self.settings
      return settings.httpCookieAcceptPolicy ?? settings.httpCookieStorage?.cookieAcceptPolicy
        ?? .onlyFromMainDocumentDomain
    }
    set { state.withLock { $0.httpCookieAcceptPolicy = newValue } }
  }

  /// The number of connections to one origin open at once; 6 by default, and at least 1. Works.
  public var httpMaximumConnectionsPerHost: Int {
    get { state.withLock { $0.httpMaximumConnectionsPerHost } }
    set { state.withLock { $0.httpMaximumConnectionsPerHost = newValue } }
  }

  /// The storage of cookies; `nil` for none. Works. The methods of a subclass are called on a serial queue of the
  /// session's, and loads wait for them.
  public var httpCookieStorage: HTTPCookieStorage? {
    get { state.withLock { $0.httpCookieStorage } }
    set { change { $0.httpCookieStorage = newValue } }
  }

  /// Whether requests may be pipelined. Has no meaning on Linux: they never are (RFC 9112 §9.3.2).
  public var httpShouldUsePipelining: Bool {
    get { state.withLock { $0.httpShouldUsePipelining } }
    set { state.withLock { $0.httpShouldUsePipelining = newValue } }
  }

  /// The storage of credentials; `nil` for none. Works.
  public var urlCredentialStorage: URLCredentialStorage? {
    get { state.withLock { $0.urlCredentialStorage } }
    set { change { $0.urlCredentialStorage = newValue } }
  }

  /// The cache of responses; `nil` for none. Works. The methods of a subclass are called on a serial queue of the
  /// session's, and loads wait for them.
  public var urlCache: URLCache? {
    get { state.withLock { $0.urlCache } }
    set { change { $0.urlCache = newValue } }
  }

  /// The use of stored responses for requests that say nothing of it. Works.
  public var requestCachePolicy: URLRequest.CachePolicy {
    get { state.withLock { $0.requestCachePolicy } }
    set { state.withLock { $0.requestCachePolicy = newValue } }
  }

  /// Fields that every request carries unless it states its own. Works; `Authorization`, `Cookie`,
  /// `Proxy-Authorization` and `Host` are meant for the origin that the caller named, and do not follow a redirect to
  /// another one. With a name that is no string, `Content-Length` or `Transfer-Encoding` every request fails with a
  /// ``RefusedSetting``.
  public var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { settings.httpAdditionalHeaders }
    set { change { $0.httpAdditionalHeaders = newValue } }
  }

  /// Subclasses of `URLProtocol` that may take over loads: the first that can. Works; anything else is refused, and
  /// every request fails with a ``RefusedSetting``.
  public var protocolClasses: [AnyClass]? {
    get { settings.protocolClasses }
    set { change { $0.protocolClasses = newValue } }
  }
}
