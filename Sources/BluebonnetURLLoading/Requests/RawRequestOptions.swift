// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The spelling and the credentials of a request, where its author decides about points that the rules of URLs and fields decide
/// otherwise: for programs that send exactly the words of their users, such as `bonnet`. An addition of this package.
public final class RawRequestOptions: Sendable {
  /// A field line as it was spelled.
  public struct Line: Sendable, Equatable {
    /// The field's name; a token (RFC 9110 §5.6.2).
    public let name: String
    /// Everything behind the colon, blanks in front of the value included; no control character but HTAB. It need not be text.
    public let bytes: [UInt8]

    /// ``bytes`` as UTF-8.
    public var rest: String { String(decoding: bytes, as: UTF8.self) }

    /// Makes a line. What it may not hold fails the load with `URLError.badURL` before anything is sent.
    public init(name: String, rest: String) { self.init(name: name, bytes: Array(rest.utf8)) }

    /// Makes a line of given bytes, such as a cookie's.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The value of `Host`.
  public enum Host: Sendable, Equatable {
    /// The host of the URL in its canonical form, or what the fields of the request say.
    case usual
    /// The text behind the colon.
    case written(String)
    /// Nothing: there is no such field, which RFC 9112 §3.2 has servers refuse.
    case omitted

    /// The form of a host for connecting: in lower case, without escapes, names in ASCII (RFC 5891), addresses in
    /// their shortest form; nil for text that is no host.
    ///
    /// - Parameter spelling: With brackets around an IPv6 address; the result has none.
    public static func canonical(_ spelling: String) -> String? { try? HostName.canonical(spelling) }
  }

  /// The lines sent in place of the request's fields. They have to say the same; `Host` and the framing fields
  /// are left out of them, at another origin that a redirect leads to credentials and cookies, too.
  public var lines: [Line] { makeLines() }
  private let makeLines: @Sendable () -> [Line]
  /// The value of `Host`; the usual by default, and where a redirect leads to another origin.
  public let host: Host
  /// Whether a body is held back until the server's challenge, or its answer without one: the first request says
  /// `Content-Length: 0`. False by default.
  public let withholdsContent: Bool
  /// The credential for NTLM. Its first message goes out with the first request, before a challenge; nil, the
  /// default, to wait for that. The content is held back until the server has answered. For the first origin only.
  public let ntlm: URLCredential?
  /// The credentials that servers have accepted in the requests before this one; nil, the default, for those of the session. It is
  /// used for credentials with the persistence `.none`.
  public let authenticationCache: SharedAuthenticationCache?

  /// Makes options with the same lines for each request of the load.
  public convenience init(
    lines: [Line], host: Host = .usual, withholdsContent: Bool = false, ntlm: URLCredential? = nil,
    authenticationCache: SharedAuthenticationCache? = nil
  ) {
    self.init(
      host: host, withholdsContent: withholdsContent, ntlm: ntlm, authenticationCache: authenticationCache
    ) { lines }
  }

  /// Makes options with lines that may differ from one request of the load to the next: a challenge's response
  /// may have set cookies.
  ///
  /// - Parameters:
  ///   - host: The `Host` field.
  ///   - withholdsContent: Whether the content waits until the server has accepted the credentials.
  ///   - ntlm: The credential for NTLM, with the first message before a challenge; nil for none.
  ///   - authenticationCache: The credentials that servers have accepted, shared with other requests; nil for those of the session.
  ///   - lines: Makes the lines, each time that a request of the load is put into its wire form; on any thread, and without
  ///     waiting for anything.
  public init(
    host: Host = .usual, withholdsContent: Bool = false, ntlm: URLCredential? = nil,
    authenticationCache: SharedAuthenticationCache? = nil,
    lines: @escaping @Sendable () -> [Line]
  ) {
    makeLines = lines
    self.host = host
    self.withholdsContent = withholdsContent
    self.ntlm = ntlm
    self.authenticationCache = authenticationCache
  }

  /// The options at another origin than the one that they are for: without credentials, and with the usual `Host`.
  var forAnotherOrigin: RawRequestOptions {
    RawRequestOptions(withholdsContent: withholdsContent, authenticationCache: authenticationCache) {
      [makeLines] in makeLines().filter { !RequestCredentials.isBound($0.name) }
    }
  }

  /// The options of a request that a redirect has taken the content from.
  ///
  /// - Parameter names: The fields about content.
  func withoutContent(_ names: [String]) -> RawRequestOptions {
    RawRequestOptions(host: host, ntlm: ntlm, authenticationCache: authenticationCache) { [makeLines] in
      makeLines().filter { line in !names.contains { line.name.equalsIgnoringASCIICase($0) } }
    }
  }
}

extension URLRequest {
  /// The raw options; nil, the default, for the usual form. No part of equality.
  public var rawOptions: RawRequestOptions? {
    get { storage.rawOptions }
    set { writable.rawOptions = newValue }
  }

  /// Sets the method in this very spelling; `httpMethod` makes `GET` of `get`.
  public mutating func setRawMethod(_ method: String) { writable.method = method }
}
