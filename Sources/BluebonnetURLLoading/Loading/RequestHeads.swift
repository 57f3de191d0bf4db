import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

/// Puts URL requests into their wire form under one session's settings.
final class RequestHeads: Sendable {
  private let settings: URLSessionConfiguration.Values
  /// The fields every request gets unless it states its own: the session's, then ours.
  let common: HeaderFields
  /// `common` in its wire form, for requests that override none of it; nil if it holds what must not be sent,
  /// which each request is then told.
  private let encodedCommon: EncodedFields?
  /// `common` asks for the connection to be closed.
  private let commonCloses: Bool
  /// What `common` expects of the server.
  private let commonExpect: String?

  init(_ settings: URLSessionConfiguration.Values) {
    self.settings = settings
    var common = settings.additionalFields
    if settings.sendsDefaultFields {
      if common["Accept"] == nil { common["Accept"] = "*/*" }
      if common["User-Agent"] == nil { common["User-Agent"] = "Bluebonnet" }
    }
    if common["Accept-Encoding"] == nil, settings.decodesResponseContent {
      common["Accept-Encoding"] = "br, gzip, deflate"
    }
    self.common = common
    commonExpect = common["Expect"]
    commonCloses = common["Connection"].map(Self.isClose) ?? false
    encodedCommon = try? EncodedFields(
      common.fields.filter { !Self.isOurs($0.name) }.map { ($0.name, $0.value) })
  }

  /// - Throws: `URLError` for an address that cannot be loaded or a field that must not be sent.
  /// - Parameter asksFirst: false if `Expect` is not to be sent, whoever asks for it.
  func make(
    _ request: URLRequest, body: RequestBody, asksFirst: Bool = true
  ) throws(URLError) -> ExchangeRequest {
    guard let url = request.url else {
      throw .loading(.badURL, url: nil, phase: .preparing, reason: "it has no URL")
    }
    let target = try RequestTarget.of(url)
    let method = request.httpMethod ?? "GET"
    let fields = request.headerFields
    let sendsExpect = asksFirst && !body.isEmpty
    var encoder = RequestEncoder(capacity: 512)
    do throws(HTTP1Error) {
      try encoder.begin(method: method, target: target.path)
      try encoder.field("Host", fields["Host"] ?? target.authority)
      try write(fields, sendsExpect: sendsExpect, into: &encoder)
      if let cookies = cookies(for: request, url: url) { try encoder.field("Cookie", cookies) }
      try Self.frame(body, method: method, into: &encoder)
      encoder.end()
    } catch {
      throw refusal(of: request, error)
    }
    var made = ExchangeRequest(
      endpoint: endpoint(for: target), kind: RequestKind(method: method), head: encoder.bytes,
      body: body, isIdempotent: Self.isIdempotent(method),
      timeouts: Timeouts(request: request, settings: settings),
      decodesContent: settings.decodesResponseContent)
    made.closesConnection = fields["Connection"].map(Self.isClose) ?? commonCloses
    made.expectsContinue =
      sendsExpect && (fields["Expect"] ?? commonExpect)?.lowercased() == "100-continue"
    return made
  }

  /// The request's own fields, then the common ones that it does not override.
  ///
  /// RFC 9110 §10.1.1: what expects a 100 has content.
  private func write(
    _ fields: HeaderFields, sendsExpect: Bool, into encoder: inout RequestEncoder
  ) throws(HTTP1Error) {
    for field in fields.fields where !Self.isOurs(field.name) {
      if !sendsExpect, field.name.equalsIgnoringASCIICase("Expect") { continue }
      try encoder.field(field.name, field.value)
    }
    if let encodedCommon, sendsExpect || commonExpect == nil,
      !fields.fields.contains(where: { common.index(of: $0.name) != nil })
    {
      return try encoder.fields(encodedCommon)
    }
    for field in common.fields where !Self.isOurs(field.name) && fields.index(of: field.name) == nil {
      if !sendsExpect, field.name.equalsIgnoringASCIICase("Expect") { continue }
      try encoder.field(field.name, field.value)
    }
  }

  private func endpoint(for target: RequestTarget) -> Endpoint {
    let place: ConnectTarget =
      if let path = settings.unixSocketPath { .unixPath(path) } else {
        .host(target.origin.host, port: target.origin.port)
      }
    return Endpoint(
      target: place,
      security: target.origin.isSecure ? .tls(serverName: target.origin.host) : .plain)
  }

  /// Framing and the host are the transport's to state: a caller's own could not be told from smuggling.
  private static func isOurs(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name.equalsIgnoringASCIICase("Host")
    case 14: name.equalsIgnoringASCIICase("Content-Length")
    case 17: name.equalsIgnoringASCIICase("Transfer-Encoding")
    default: false
    }
  }

  private static func frame(
    _ body: RequestBody, method: String, into encoder: inout RequestEncoder
  ) throws(HTTP1Error) {
    switch body {
    case .none:
      // RFC 9110 §8.6: a method that usually carries content says so when there is none.
      if method == "POST" || method == "PUT" || method == "PATCH" {
        try encoder.field("Content-Length", "0")
      }
    case .source(let source):
      if let length = source.length {
        try encoder.field("Content-Length", String(length))
      } else {
        try encoder.field("Transfer-Encoding", "chunked")
      }
    }
  }

  /// RFC 9112 §9.6.
  private static func isClose(_ options: String) -> Bool {
    FieldBlock([("Connection", options)]).contains(.connection, element: "close")
  }

  private func cookies(for request: URLRequest, url: URL) -> String? {
    guard settings.httpShouldSetCookies, request.httpShouldHandleCookies,
      let storage = settings.httpCookieStorage,
      request.headerFields.index(of: "Cookie") == nil
    else { return nil }
    return storage.header(for: url)
  }

  /// RFC 9110 §9.2.2.
  private static func isIdempotent(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
    default: false
    }
  }
}

extension RequestBody {
  /// There is none, or it is known to have no bytes.
  fileprivate var isEmpty: Bool {
    switch self {
    case .none: true
    case .source(let source): source.length == 0
    }
  }
}
