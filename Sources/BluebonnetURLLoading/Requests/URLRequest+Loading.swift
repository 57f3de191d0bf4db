// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLRequest {
  /// The use of stored responses for a load.
  public enum CachePolicy: UInt, Sendable, Hashable {
    /// The policy of the session; where that is this one, too, the rules of HTTP: a stored response that is fresh is used, and one that
    /// is not is validated (RFC 9111).
    case useProtocolCachePolicy = 0
    /// The load goes to the server; stored responses are not used.
    case reloadIgnoringLocalCacheData = 1
    /// A stored response is used, however old; without one, the load goes to the server.
    case returnCacheDataElseLoad = 2
    /// A stored response is used, however old; without one, the load fails with `URLError.resourceUnavailable`.
    case returnCacheDataDontLoad = 3
    /// The load goes to the server, and caches on the way are told not to answer.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// A stored response is used if the server confirms it, and caches on the way are told to ask there. One that is fresh and
    /// `immutable` need not be confirmed (RFC 8246).
    case reloadRevalidatingCacheData = 5

    /// The earlier name of ``reloadIgnoringLocalCacheData``.
    public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
  }

  /// The purpose of a load. Has no meaning on Linux: the kernel's default class is used for all.
  public enum NetworkServiceType: UInt, Sendable, Hashable {
    /// Nothing in particular; the default.
    case `default` = 0
    /// Control of calls.
    case voip = 1
    /// Video.
    case video = 2
    /// Something that the user does not wait for.
    case background = 3
    /// Voice.
    case voice = 4
    /// Something that the user waits for.
    case responsiveData = 6
    /// Streaming of sound or video.
    case avStreaming = 8
    /// Sound or video that reacts to the user.
    case responsiveAV = 9
    /// Signalling of calls.
    case callSignaling = 11
  }

  /// The origin of a load. Has no meaning on Linux.
  public enum Attribution: UInt, Sendable, Hashable {
    /// The program asked for it; the default.
    case developer = 0
    /// The user named the address.
    case user = 1
  }

  /// The use of stored responses for this load. Works: `.reloadIgnoringLocalAndRemoteCacheData` and
  /// `.reloadRevalidatingCacheData` also tell the caches on the way, in `Cache-Control`.
  public var cachePolicy: CachePolicy {
    get { storage.rules.cachePolicy }
    set { writable.rules.cachePolicy = newValue }
  }

  /// Seconds without progress after which the load fails; 60 where nothing else was said.
  public var timeoutInterval: TimeInterval {
    get { storage.timeoutInterval ?? 60 }
    set { writable.timeoutInterval = newValue }
  }

  /// The time-out if this request states one; otherwise the session's applies.
  package var statedTimeoutInterval: TimeInterval? { storage.timeoutInterval }

  /// Whether the response shows the request as it was sent: no stored secrets go with it (RFC 9110 §9.3.8).
  var isTrace: Bool { httpMethod == "TRACE" }

  /// The document that a cookie policy compares with.
  public var mainDocumentURL: URL? {
    get { storage.rules.mainDocumentURL }
    set { writable.rules.mainDocumentURL = newValue }
  }

  /// The purpose of the load. Has no meaning on Linux: the kernel's default class is used for all.
  public var networkServiceType: NetworkServiceType {
    get { storage.rules.networkServiceType }
    set { writable.rules.networkServiceType = newValue }
  }

  /// The origin of the load. Has no meaning on Linux.
  public var attribution: Attribution {
    get { storage.rules.attribution }
    set { writable.rules.attribution = newValue }
  }

  /// The partition of cookies that the load belongs to; nil by default. Anything else is refused: cookies are not stored
  /// in partitions, so the request fails with a ``RefusedSetting``.
  public var cookiePartitionIdentifier: String? {
    get { storage.rules.cookiePartitionIdentifier }
    set { writable.rules.cookiePartitionIdentifier = newValue }
  }

  /// Whether cookies are attached and stored for this load; true by default. Works.
  public var httpShouldHandleCookies: Bool {
    get { storage.rules.handlesCookies }
    set { writable.rules.handlesCookies = newValue }
  }

  /// Whether the request may be pipelined. Has no meaning on Linux: it never is.
  public var httpShouldUsePipelining: Bool {
    get { storage.rules.usesPipelining }
    set { writable.rules.usesPipelining = newValue }
  }
}

// Wishes that Apple's systems act on; see the article "What works on Linux".
extension URLRequest {
  /// Whether the load may use a cellular path. Has no meaning on Linux: the kind of a path is unknown.
  public var allowsCellularAccess: Bool {
    get { storage.rules.allowsCellularAccess }
    set { writable.rules.allowsCellularAccess = newValue }
  }

  /// Whether the load may use a path that costs money. Has no meaning on Linux: the cost of a path is unknown.
  public var allowsExpensiveNetworkAccess: Bool {
    get { storage.rules.allowsExpensiveNetworkAccess }
    set { writable.rules.allowsExpensiveNetworkAccess = newValue }
  }

  /// Whether the load may use a path in low-data mode. Has no meaning on Linux: there is no such mode.
  public var allowsConstrainedNetworkAccess: Bool {
    get { storage.rules.allowsConstrainedNetworkAccess }
    set { writable.rules.allowsConstrainedNetworkAccess = newValue }
  }

  /// Whether name lookups may be kept on disk. Has no meaning on Linux: they never are.
  public var allowsPersistentDNS: Bool {
    get { storage.rules.allowsPersistentDNS }
    set { writable.rules.allowsPersistentDNS = newValue }
  }

  /// Whether the server is expected to speak HTTP/3. Has no meaning on Linux: HTTP/1.1 is spoken in any case.
  public var assumesHTTP3Capable: Bool {
    get { storage.rules.assumesHTTP3Capable }
    set { writable.rules.assumesHTTP3Capable = newValue }
  }

  /// Whether name lookups must be validated by DNSSEC; false by default. True is refused: the system's resolver does
  /// not say what it validated, so the request fails with a ``RefusedSetting``.
  public var requiresDNSSECValidation: Bool {
    get { storage.rules.requiresDNSSECValidation }
    set { writable.rules.requiresDNSSECValidation = newValue }
  }
}

extension URLRequest {
  /// The target in the request line in place of the URL's path and query, such as `*` for an OPTIONS that is meant for
  /// the whole server (RFC 9112 §3.2.4), or a path that `URL` would spell in another way; `nil`, the default, for those of
  /// the URL. An addition of this package.
  ///
  /// It is sent as it is. One with other bytes than visible ASCII, or in none of the forms of RFC 9112 §3.2, fails the load
  /// with `URLError.badURL` before anything is sent. Setting `url` makes it `nil` again, so that a redirect
  /// has its own target.
  public var requestTarget: String? {
    get { storage.target }
    set { writable.target = newValue }
  }
}
