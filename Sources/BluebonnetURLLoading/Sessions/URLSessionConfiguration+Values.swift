import BluebonnetAuthentication
import BluebonnetSemantics
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTransport
import BluebonnetWebSocket

extension URLSessionConfiguration {
  // Unchecked: `httpAdditionalHeaders` and `connectionProxyDictionary` hold strings and numbers (`Any` only for
  // Apple's signature), the stores lock for themselves, classes are constants.
  /// The settings as a value: what a session keeps and its loads read without a lock.
  package struct Values: @unchecked Sendable {
    package var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    package var timeoutIntervalForRequest: TimeInterval = 60
    package var timeoutIntervalForResource: TimeInterval = 7 * 24 * 60 * 60
    package var networkServiceType = URLRequest.NetworkServiceType.default
    package var allowsCellularAccess = true
    package var allowsExpensiveNetworkAccess = true
    package var allowsConstrainedNetworkAccess = true
    package var requiresDNSSECValidation = false
    package var waitsForConnectivity = false
    package var isDiscretionary = false
    package var sharedContainerIdentifier: String?
    package var sessionSendsLaunchEvents = false
    package var connectionProxyDictionary: [AnyHashable: Any]?
    package var proxySelection = ProxySelection.none
    package var proxyTrustAnchors = TrustAnchors.system
    package var verifiesProxyCertificates = true
    package var tlsMinimumSupportedProtocolVersion = tls_protocol_version_t.TLSv12
    package var tlsMaximumSupportedProtocolVersion = tls_protocol_version_t.TLSv13
    package var httpShouldUsePipelining = false
    package var httpShouldSetCookies = true
    /// Nil while none was stated: then the storage's own decides.
    package var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy?
    package var httpAdditionalHeaders: [AnyHashable: Any]? {
      didSet { additionalFields = Self.fields(of: httpAdditionalHeaders) }
    }
    /// `httpAdditionalHeaders` in the form in which they are merged.
    package private(set) var additionalFields = HeaderFields()
    package var httpMaximumConnectionsPerHost = 6
    package var httpCookieStorage: HTTPCookieStorage?
    package var urlCredentialStorage: URLCredentialStorage?
    package var authenticationSchemes = BluebonnetAuthentication.AuthenticationSchemes.all
    package var netrc: Netrc?
    package var urlCache: URLCache?
    package var collapsesRequests = false
    package var shouldUseExtendedBackgroundIdleMode = false
    package var protocolClasses: [AnyClass]?
    package var multipathServiceType = MultipathServiceType.none
    package var trustAnchors = TrustAnchors.system
    package var evaluatesOwnAnchorsStrictly = false
    package var tls = TLSSettings()
    package var clientCredentials: [String: URLCredential] = [:] {
      didSet { clientCredentialsByHost = ClientCredentials(clientCredentials) }
    }
    /// `clientCredentials` in the form in which hosts are looked up.
    package private(set) var clientCredentialsByHost = ClientCredentials([:])
    package var revocationLists = RevocationListFiles()
    package var revocationProxySelection = ProxySelection.none
    package var unixSocketPath: String?
    package var connectRules = ConnectRules()
    package var timeoutIntervalForConnection: TimeInterval?
    package var decodesResponseContent = true
    package var decodesTransferCodings = true
    package var requestVersion = RequestVersion.http11
    package var redirectLimit = RedirectPolicy.usualLimit
    package var followsWebSocketRedirects = false
    package var sendsDefaultFields = true
    package var connectionLimit = 256
    package var lookupLimit: Int?
    package var timeoutIntervalForWaiting: TimeInterval?
    package var requestLimit: Int?
    package var requestLimitPerHost: Int?
    package var responseParsing = ResponseParsing.tolerant
    package var chunkOverheadLimit = ParserLimits.default.chunkOverheadBytes
    package var responseHeadLimit = ParserLimits.default.headBytes
    package var responseLineLimit = ParserLimits.default.lineBytes
    package var responseFieldLimit = ParserLimits.default.fieldCount
    package var interimResponseLimit = ParserLimits.default.interimResponses
    package var timeoutIntervalForIdleConnections: TimeInterval = 60
    package var timeoutIntervalForContinue: TimeInterval = 1
    package var connectionAttemptDelay: TimeInterval = 0.25
    package var decompressionLimitInMemory = DecompressionLimit.inMemory
    package var decompressionLimitWhenStreaming = DecompressionLimit.none
    package var webSocketCompression: WebSocketCompression? = WebSocketCompression()
    package var responseBodyLimitInMemory: Int?
    package var eventLoop = EventLoop.shared
    /// Made by `background(withIdentifier:)`.
    package var isBackground = false
    /// Looks names up instead of the system; for tests.
    package var resolver: NameResolver.Resolver?
    /// Connects in the place of sockets; for mocks.
    package var dial: Dial?
    /// Makes what tells of changes of the machine's networks.
    package typealias NetworkWatcher =
      @Sendable (BluebonnetEventLoop.EventLoop, @escaping NetworkWatch.OnChange) throws(SystemError) ->
      NetworkWatch
    /// Watches another network namespace; for tests.
    package var networkWatcher: NetworkWatcher = { loop, onChange throws(SystemError) in
      try NetworkWatch(loop: loop, onChange: onChange)
    }
    /// The first pause of a load that waits for a network, in nanoseconds; for tests.
    package var firstConnectivityPause: UInt64 = 250_000_000

    static var shared: Values {
      var values = Values()
      values.httpCookieStorage = .shared
      values.urlCredentialStorage = .shared
      values.urlCache = .shared
      return values
    }

    static var inMemory: Values {
      var values = Values()
      values.httpCookieStorage = HTTPCookieStorage()
      values.urlCredentialStorage = URLCredentialStorage()
      values.urlCache = URLCache(memoryCapacity: 512 * 1024, diskCapacity: 0, diskPath: nil)
      return values
    }

    private static func fields(of headers: [AnyHashable: Any]?) -> HeaderFields {
      var named: [String: String] = [:]
      for (key, value) in headers ?? [:] {
        if let name = key.base as? String { named[name] = value as? String ?? "\(value)" }
      }
      return HeaderFields(named)
    }
  }
}

/// The version of TLS, as the code points of the protocol.
public enum tls_protocol_version_t: UInt16, Sendable, Comparable {
  /// TLS 1.0. Retired by RFC 8996 and not spoken here.
  case TLSv10 = 0x0301
  /// TLS 1.1. Retired by RFC 8996 and not spoken here.
  case TLSv11 = 0x0302
  /// TLS 1.2 (RFC 5246).
  case TLSv12 = 0x0303
  /// TLS 1.3 (RFC 8446).
  case TLSv13 = 0x0304
  /// DTLS 1.0, for datagrams: refused.
  case DTLSv10 = 0xFEFF
  /// DTLS 1.2, for datagrams: refused.
  case DTLSv12 = 0xFEFD

  /// Orders the versions of TLS from older to newer.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
