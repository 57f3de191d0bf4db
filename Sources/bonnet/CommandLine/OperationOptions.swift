/// The options of redirects.
struct RedirectOptions: Equatable, Sendable {
  /// As many as curl follows.
  static let usualLimit = 50

  var follows = false
  /// `--location-trusted`: credentials go along to other hosts.
  var trustsOthers = false
  /// Nil for any number.
  var limit: Int? = usualLimit
  var keepsPostAfter: Set<Int> = []
  /// Schemes that a redirect may lead to.
  var schemes = SchemeSet.web
}

/// The options of authentication.
struct AuthenticationOptions: Equatable, Sendable {
  /// The schemes that may be answered.
  struct Methods: OptionSet, Sendable, Hashable {
    let rawValue: Int
    static let basic = Methods(rawValue: 1)
    static let digest = Methods(rawValue: 2)
    static let ntlm = Methods(rawValue: 4)
    static let negotiate = Methods(rawValue: 8)
    static let any: Methods = [.basic, .digest, .ntlm, .negotiate]
  }

  /// The options of `-n` and its kin.
  enum Netrc: Equatable, Sendable {
    case none
    case optional
    case required
  }

  var user: String?
  var methods = Methods.basic
  var bearer: String?
  var netrc = Netrc.none
  var netrcPath: String?
}

/// Cookies to send and where to keep them.
struct CookieOptions: Equatable, Sendable {
  /// `name=value`, in order.
  var texts: [String] = []
  var files: [String] = []
  /// The file they are written to at the end.
  var jar: String?
  var forgetsSessions = false

  /// Whether cookies of responses are kept.
  var areKept: Bool { !files.isEmpty || jar != nil }
}

/// The options of connecting.
struct ConnectionOptions: Equatable, Sendable {
  enum Family: Hashable, Sendable {
    case any
    case four
    case six
  }

  /// Seconds; nil for no limit.
  var timeLimit: Double?
  var connectTimeLimit: Double?
  var socketPath: String?
  var family = Family.any
  /// `--resolve`, in order.
  var addresses: [String] = []
  /// `--connect-to`, in order.
  var detours: [String] = []
  var networkInterface: String?
  var localPorts: ClosedRange<Int>?
  var keepsAlive = true
  var keepAliveTime: Int?
  /// Milliseconds before the other family is tried.
  var attemptDelay: Int?
}

/// The way around.
struct ProxyOptions: Equatable, Sendable {
  /// The proxy as it was typed, with its scheme; an empty one stands for none at all, nil for what the environment says.
  var address: String?
  var user: String?
  /// Hosts that are reached directly; nil for what the environment says.
  var exceptions: String?
  var tunnels = false
  /// It is asked for tunnels in HTTP/1.0.
  var isOld = false
  var fields: [String] = []
  var methods = AuthenticationOptions.Methods.basic
  /// Heads of answers to CONNECT are not shown.
  var hidesConnectHeads = false
  var usesHTTP10 = false
  var acceptsAnyCertificate = false
  var authorities: String?
}

/// TLS, and trust.
struct SecurityOptions: Equatable, Sendable {
  enum Version: Int, Comparable, Hashable, Sendable {
    case one = 0
    case two
    case three

    static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  var acceptsAnyCertificate = false
  var authorities: String?
  /// `--capath`.
  var authorityDirectory: String?
  var certificate = ClientCertificate()
  /// `--ciphers`, in OpenSSL's syntax.
  var ciphers: String?
  /// `--tls13-ciphers`.
  var suites: [String]?
  /// `--curves`.
  var groups: [String]?
  /// `--sessionid`.
  var resumes = true
  /// `--alpn`.
  var offersProtocol = true
  /// `--cert-status`: the server has to staple that its certificate is good.
  var checksStatus = false
  /// `--crlfile`.
  var revocationLists: String?
  /// `--pinnedpubkey`: one of these keys has to be the server's, under any authority; any if there are none.
  var pins: [KeyPin] = []
  /// The oldest version to accept.
  var minimum: Version?
  var maximum: Version?
}

/// The options for the response.
struct OutputOptions: Equatable, Sendable {
  var includesHeads = false
  /// `-D`.
  var headPath: String?
  var usesHeaderName = false
  var directory: String?
  var createsDirectories = false
  /// The mode of new files.
  var fileMode: UInt32 = 0o644
  /// Nil for what fits: files are overwritten, but those that a server names are not.
  var overwrites: Bool?
  var removesOnError = false
  /// `-R`: the file gets the server's date.
  var takesRemoteTime = false
  /// Bytes.
  var sizeLimit: Int?
  /// `-f`.
  var failsOnErrorStatus = false
  /// `--fail-with-body`.
  var keepsBodyOfFailures = false
  /// `-w`.
  var report: String?
  /// Bytes in a second.
  var rateLimit: Int?
  var speedLimit: Int?
  var speedTime: Int?
}

/// The options of retries.
struct RetryOptions: Equatable, Sendable {
  var count = 0
  /// Seconds; 0 for twice as long each time.
  var delay = 0
  /// Seconds for all attempts; 0 for no limit.
  var timeLimit = 0
  var includesRefusals = false
  var includesAll = false
}
