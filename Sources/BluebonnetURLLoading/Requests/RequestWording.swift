/// How a request is written and proved, where its author decides what the rules of URLs and fields decide otherwise: for
/// programs whose users get what they type, such as `bonnet`. An addition of this package.
public final class RequestWording: Sendable {
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

    /// Makes a line of bytes that somebody else has chosen, such as a cookie's.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// What `Host` says.
  public enum Host: Sendable, Equatable {
    /// The host of the URL in its canonical form, or what the fields of the request say.
    case usual
    /// What stands behind the colon.
    case written(String)
    /// Nothing: there is no such field, which RFC 9112 §3.2 has servers refuse.
    case omitted

    /// The form in which a host is connected to: in lower case, without escapes, names in ASCII (RFC 5891), addresses in
    /// their shortest form; nil for what is no host.
    ///
    /// - Parameter spelling: With brackets around an IPv6 address; the result has none.
    public static func canonical(_ spelling: String) -> String? { try? HostName.canonical(spelling) }
  }

  /// What is sent in the place of the request's fields, which have to say the same; `Host` and what frames the message
  /// are left out of them.
  public var lines: [Line] { makeLines() }
  private let makeLines: @Sendable () -> [Line]
  /// What `Host` says; the usual by default.
  public let host: Host
  /// Whether a body is held back until the server has asked who is asking, or has answered without: the first request says
  /// `Content-Length: 0`. False by default.
  public let withholdsContent: Bool
  /// Who is proved by NTLM, whose first message goes out with the first request, before the server has asked; nil, the
  /// default, to wait for that. The content is held back until the server has answered.
  public let ntlm: URLCredential?
  /// What the requests that this one follows have proved to their servers; nil, the default, for what the session knows. It is
  /// used for credentials whose persistence is `.none`.
  public let proofs: ProofMemory?

  /// Makes a wording.
  public convenience init(
    lines: [Line], host: Host = .usual, withholdsContent: Bool = false, ntlm: URLCredential? = nil,
    proofs: ProofMemory? = nil
  ) {
    self.init(host: host, withholdsContent: withholdsContent, ntlm: ntlm, proofs: proofs) { lines }
  }

  /// Makes a wording whose lines may differ from one request of the load to the next: a response that is answered with a proof
  /// may have set cookies.
  ///
  /// - Parameters:
  ///   - host: The `Host` field.
  ///   - withholdsContent: Whether the content waits until the server has accepted the credentials.
  ///   - ntlm: The credential for NTLM, whose first message is sent before a challenge; nil for none.
  ///   - proofs: The credentials that servers have accepted, shared with other requests; nil for those of the session.
  ///   - lines: Makes the lines, each time that a request of the load is put into its wire form; on any thread, and without
  ///     waiting for anything.
  public init(
    host: Host = .usual, withholdsContent: Bool = false, ntlm: URLCredential? = nil,
    proofs: ProofMemory? = nil,
    lines: @escaping @Sendable () -> [Line]
  ) {
    makeLines = lines
    self.host = host
    self.withholdsContent = withholdsContent
    self.ntlm = ntlm
    self.proofs = proofs
  }
}

extension URLRequest {
  /// How the request is written; nil, the default, for the usual way. No part of equality.
  public var wording: RequestWording? {
    get { storage.wording }
    set { writable.wording = newValue }
  }
}
