// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

/// Puts URL requests into their wire form under one session's settings.
final class RequestBuilder: Sendable {
  private let settings: URLSessionConfiguration.Settings
  /// The fields every request gets unless it states its own: the session's, then ours.
  let common: HeaderFields
  /// `common` in its wire form, for requests that override none of it; nil if it contains a field that must not be sent:
  /// then each request is told so.
  private let encodedCommon: EncodedFields?
  /// Whether `Accept-Encoding` in `common` is ours, or that of the matched API's default headers, and not the caller's.
  private let offersOwnCodings: Bool
  /// `common` asks for the connection to be closed.
  private let commonCloses: Bool
  /// The value of `Expect` in `common`.
  private let commonExpect: String?
  /// The session's settings that cannot be honoured; nil for almost every session.
  private let refusals: SessionRefusals?
  /// `common` has fields that are meant for one origin only.
  private let commonIsBound: Bool
  /// Whether `common` has credentials for a proxy.
  private let commonIsForProxy: Bool
  private let commonHost: String?
  /// The transfer codings that `common` offers.
  private let commonTE: String?
  /// The peer of connections.
  private let nextHop: Route.NextHop
  /// Finds proxies; nil for almost every session.
  private let proxies: ProxyChooser?
  private let commonHasCookie: Bool
  /// Whether the content of a POST without a `Content-Type` is a form, as with Foundation.
  private let takesPostsForForms: Bool

  init(_ settings: URLSessionConfiguration.Settings) {
    self.settings = settings
    refusals = SessionRefusals(settings)
    var common = settings.additionalFields
    if settings.sendsDefaultFields {
      if common["Accept"] == nil { common["Accept"] = "*/*" }
      if common["User-Agent"] == nil { common["User-Agent"] = "Bluebonnet" }
    }
    let stated = common["Accept-Encoding"]
    offersOwnCodings =
      settings.decodesResponseContent && (stated == nil || stated == ContentCoding.weighedOffer)
    if offersOwnCodings, common["Range"] != nil {
      common["Accept-Encoding"] = "identity"
    } else if offersOwnCodings, stated == nil {
      common["Accept-Encoding"] = ContentCoding.offer
    }
    self.common = common
    proxies = ProxyChooser(settings)
    nextHop = settings.unixSocketPath.map { .unixSocket(path: $0) } ?? .origin
    commonExpect = common["Expect"]
    commonCloses = common["Connection"].map(Self.isClose) ?? false
    commonIsBound = common.fields.contains { RequestCredentials.isBound($0.name) }
    commonIsForProxy = common.index(of: "Proxy-Authorization") != nil
    commonHost = common["Host"]
    commonTE = common["TE"]
    commonHasCookie = common.index(of: "Cookie") != nil
    takesPostsForForms = settings.sendsDefaultFields && common.index(of: "Content-Type") == nil
    encodedCommon = try? EncodedFields(
      common.fields.filter { !HeaderFields.isOurs($0.name) }.map { ($0.name, $0.value) })
  }

  /// Puts a request into its wire form.
  ///
  /// - Parameters:
  ///   - secrets: The credentials for this origin; the URL's user information is added to it.
  ///   - cookies: The value of `Cookie`, besides the request's own.
  ///   - asksFirst: Whether `Expect` may be sent.
  ///   - opensWebSocket: It is the opening handshake of a WebSocket, to which alone `ws` and `wss` lead.
  /// - Throws: `URLError` for an address that cannot be loaded or a field that must not be sent.
  func make(
    _ request: URLRequest, body: RequestBody, credentials: inout RequestCredentials,
    cookies: inout FieldValue?,
    asksFirst: Bool = true, opensWebSocket: Bool = false
  ) throws(URLError) -> ExchangeRequest {
    guard let url = request.url else {
      throw .loading(.badURL, url: nil, phase: .preparing, reason: "it has no URL")
    }
    let target = try TargetURI.of(url)
    if target.isWebSocket, !opensWebSocket {
      throw .refusal(.unsupportedURL, url, "a WebSocket is opened by a webSocketTask")
    }
    if refusals != nil || request.storage.hasUnsupportedOption { try refuse(request, target) }
    credentials.take(from: target)
    if let netrc = settings.netrc, common.index(of: "Authorization") == nil, !request.isTrace {
      credentials.take(
        for: target, sendsBasic: settings.allowedSchemes.contains(.basic), from: netrc.proof)
    }
    let fields = request.headerFields
    if isOld { try Self.refuseOldVersion(with: body, url, opensWebSocket: opensWebSocket) }
    let sendsExpect = asksFirst && !body.isEmpty && !isOld
    var resolved: ResolvedRoute?
    if let proxies {
      let name = "Proxy-Authorization"
      let stated = fields[name] ?? (credentials.hasLeft || !commonIsForProxy ? nil : common[name])
      resolved = try resolvedRoute(through: proxies, to: target, url, stated: stated, otherwise: nextHop)
    }
    let method = request.httpMethod ?? "GET"
    cookies = self.cookies(for: request, target, credentials)
    let head = try self.head(
      of: request, to: target, method: method, body, credentials, cookies, resolved, sendsExpect: sendsExpect)
    var made = ExchangeRequest(
      route: route(to: target.origin, by: resolved?.nextHop ?? nextHop), kind: RequestKind(method: method),
      head: head, body: body, isIdempotent: Method.isIdempotent(method),
      timeouts: Timeouts(request: request, settings: settings),
      decodesContent: settings.decodesResponseContent)
    made.resolvesFromRoot = target.isRooted
    if let resolved { made.statesProxyAuthorization = resolved.statesAuthorization }
    let connection = fields["Connection"]
    made.closesConnection = connection.map(Self.isClose) ?? commonCloses
    if isOld, !Self.keepsAlive(connection ?? common["Connection"]) { made.closesConnection = true }
    if !settings.decodesTransferCodings {
      made.transferCodings = .asReceived
    } else if let offered = fields["TE"] ?? commonTE, Self.offersCompression(offered) {
      made.transferCodings = .compressed
    }
    made.expectsContinue =
      sendsExpect && (fields["Expect"] ?? commonExpect)?.lowercased() == "100-continue"
    return made
  }

  /// Whether requests may go to a proxy.
  var asksForProxies: Bool { proxies != nil }

  private var isOld: Bool { settings.requestVersion == .http10 }

  /// The request's bytes up to its content.
  private func head(
    of request: URLRequest, to target: TargetURI, method: String, _ body: RequestBody,
    _ credentials: RequestCredentials, _ cookies: FieldValue?, _ resolved: ResolvedRoute?, sendsExpect: Bool
  ) throws(URLError) -> [UInt8] {
    let statedHost = request.headerFields["Host"] ?? (credentials.hasLeft ? nil : commonHost)
    if let statedHost, !Self.isOneHost(statedHost) {
      throw .loading(
        .badURL, url: request.url, phase: .preparing,
        reason: "the Host field does not name one host (RFC 9110 §7.2)")
    }
    var encoder = RequestEncoder(capacity: 512)
    do throws(HTTP1Error) {
      if let resolved, case .proxy = resolved.nextHop, request.storage.target == nil {
        try encoder.begin(
          method: method, authority: target.authority, path: target.path, isOldVersion: isOld)
      } else {
        try encoder.begin(
          method: method, target: request.storage.target ?? target.path, isOldVersion: isOld)
      }
      switch request.storage.rawOptions?.host {
      case nil, .usual: try encoder.field("Host", statedHost ?? target.authority)
      case .written(let text): try encoder.line("Host", text)
      case .omitted: break
      }
      try write(
        request.headerFields, request.storage.rawOptions?.lines, credentials, sendsExpect: sendsExpect,
        isForProxy: resolved?.statesAuthorization ?? false, into: &encoder)
      if takesPostsForForms, method == "POST", !body.isEmpty, request.storage.rawOptions == nil,
        request.headerFields.index(of: "Content-Type") == nil
      {
        try encoder.field("Content-Type", "application/x-www-form-urlencoded")
      }
      if let fields = resolved?.fields { try encoder.fields(fields) }
      if let mode = cacheMode(of: request) { try encoder.field("Cache-Control", mode) }
      if let cookies { try encoder.field("Cookie", cookies) }
      try Self.frame(
        body, method: method, withholdsContent: request.storage.rawOptions?.withholdsContent ?? false,
        into: &encoder)
      encoder.end()
    } catch {
      throw refusal(of: request, error)
    }
    return encoder.bytes
  }

  /// The request's own fields, then the URL's credentials, then the common ones that neither overrides.
  ///
  /// RFC 9110 §10.1.1: a request with `Expect: 100-continue` has content.
  ///
  /// - Parameter isForProxy: A proxy gets the request itself. Its credentials are for no other server (§11.7.2).
  private func write(
    _ fields: HeaderFields, _ lines: [RawRequestOptions.Line]?, _ credentials: RequestCredentials,
    sendsExpect: Bool,
    isForProxy: Bool, into encoder: inout RequestEncoder
  ) throws(HTTP1Error) {
    func isHidden(_ name: String) -> Bool {
      HeaderFields.isOurs(name) || !isForProxy && Self.isForProxy(name)
        || !sendsExpect && name.equalsIgnoringASCIICase("Expect")
        || credentials.isProved && name.equalsIgnoringASCIICase("Authorization")
    }
    if let lines {
      for line in lines where !isHidden(line.name) { try encoder.line(line.name, line.bytes) }
    } else {
      for field in fields.fields where !isHidden(field.name) { try encoder.field(field.name, field.value) }
    }
    if !credentials.isProved, let authorization = credentials.stated, fields.index(of: "Authorization") == nil
    {
      try encoder.field("Authorization", authorization)
    }
    let isWhole =
      !commonIsBound
      || !credentials.hasLeft && credentials.authorization == nil && !credentials.isProved
        && (isForProxy || !commonIsForProxy)
    if isWhole, let encodedCommon, sendsExpect || commonExpect == nil,
      !fields.fields.contains(where: { common.index(of: $0.name) != nil || asksForPart($0) })
    {
      return try encoder.fields(encodedCommon)
    }
    for field in common.fields
    where !HeaderFields.isOurs(field.name) && fields.index(of: field.name) == nil
      && isShown(field.name, credentials)
    {
      if !isForProxy, Self.isForProxy(field.name) { continue }
      if !sendsExpect, field.name.equalsIgnoringASCIICase("Expect") { continue }
      try encoder.field(field.name, value(of: field, beside: fields))
    }
  }

  /// Whether a request's own field makes another `Accept-Encoding` of ours necessary.
  private func asksForPart(_ field: HeaderFields.Field) -> Bool {
    offersOwnCodings && field.name.equalsIgnoringASCIICase("Range")
  }

  /// The value of a common field beside a request's own ones. A part of coded content is nothing that could be decoded, so where
  /// one is asked for, it is without a coding, unless the session says otherwise.
  private func value(of field: HeaderFields.Field, beside fields: HeaderFields) -> String {
    guard offersOwnCodings, field.name.equalsIgnoringASCIICase("Accept-Encoding"),
      fields.index(of: "Range") != nil
    else { return field.value }
    return "identity"
  }

  /// Whether every request that states nothing itself can be sent, and with the common fields alone.
  var arePlain: Bool {
    refusals == nil && encodedCommon != nil && settings.netrc == nil && !commonIsBound && commonHost == nil
      && !commonHasCookie && !(proxies?.mayRefuse ?? false)
  }

  /// Why nothing of this session is loaded, wherever from; nil for almost every session.
  func refusalOfAll(for url: URL?) -> URLError? { refusals?.always?.error(for: url) }

  /// - Throws: if the load depends on something that cannot be done.
  private func refuse(_ request: URLRequest, _ target: TargetURI) throws(URLError) {
    let refused =
      (target.origin.isSecure ? refusals?.secure : refusals?.plain) ?? request.storage.unsupportedOption
    if let refused { throw refused.error(for: request.url) }
  }

  /// The policy for the caches on the way (RFC 9111 §5.2.1), unless the fields state one already.
  private func cacheMode(of request: URLRequest) -> String? {
    let own = request.cachePolicy
    let directive: String
    switch own == .useProtocolCachePolicy ? settings.requestCachePolicy : own {
    case .reloadIgnoringLocalAndRemoteCacheData: directive = "no-cache"
    case .reloadRevalidatingCacheData: directive = "max-age=0"
    default: return nil
    }
    let isStated = request.headerFields.index(of: "Cache-Control") != nil || common["Cache-Control"] != nil
    return isStated ? nil : directive
  }

  /// Whether a common field is sent beside these secrets.
  private func isShown(_ name: String, _ credentials: RequestCredentials) -> Bool {
    if credentials.hasLeft { return !RequestCredentials.isBound(name) }
    return credentials.authorization == nil && !credentials.isProved
      || !name.equalsIgnoringASCIICase("Authorization")
  }

  /// The fields that go out with the request, but for cookies: those that a kept response may depend on.
  func completeFields(of request: URLRequest, _ credentials: RequestCredentials) -> HeaderFields {
    var complete = request.headerFields
    if let proved = credentials.proved {
      complete["Authorization"] = proved
    } else if let authorization = credentials.stated, complete.index(of: "Authorization") == nil {
      complete["Authorization"] = authorization
    }
    for field in common.fields where complete.index(of: field.name) == nil && isShown(field.name, credentials)
    {
      complete[field.name] = value(of: field, beside: request.headerFields)
    }
    return complete
  }

  /// The fields of the session's (`httpAdditionalHeaders`) that go with a request: those that it does not state itself.
  func additionalFields(of request: URLRequest, _ credentials: RequestCredentials) -> [HeaderFields.Field] {
    settings.additionalFields.fields
      .filter { request.headerFields.index(of: $0.name) == nil && isShown($0.name, credentials) }
      .map { .init(name: $0.name, value: value(of: $0, beside: request.headerFields)) }
  }

  /// Whether a request has a field with credentials, other than by its URL.
  func statesAuthorization(_ request: URLRequest, _ credentials: RequestCredentials) -> Bool {
    request.headerFields.index(of: "Authorization") != nil
      || !credentials.hasLeft && credentials.authorization == nil && common.index(of: "Authorization") != nil
  }

  /// RFC 9110 §7.2: one host, perhaps with a port. Two fields of a request are joined by a comma.
  private static func isOneHost(_ value: String) -> Bool {
    !value.utf8.contains { byte in
      switch byte {
      case 0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
        UInt8(ascii: "@"), UInt8(ascii: "\\"):
        true
      default: false
      }
    }
  }

  private func route(to origin: WebOrigin, by nextHop: Route.NextHop) -> Route {
    Route(isSecure: origin.isSecure, host: origin.host, port: origin.port, nextHop: nextHop)
  }

  private static func frame(
    _ body: RequestBody, method: String, withholdsContent: Bool, into encoder: inout RequestEncoder
  ) throws(HTTP1Error) {
    switch body {
    case .none:
      // RFC 9110 §8.6: a method that usually carries content says so when there is none.
      if withholdsContent || method != "GET" && (method == "POST" || method == "PUT" || method == "PATCH") {
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

  /// One `Cookie` at most goes out (RFC 6265bis §5.8.1).
  private func cookies(
    for request: URLRequest, _ target: TargetURI, _ credentials: RequestCredentials
  ) -> FieldValue? {
    guard settings.httpShouldSetCookies, request.httpShouldHandleCookies,
      let storage = settings.httpCookieStorage, !storage.holdsNothing,
      request.headerFields.index(of: "Cookie") == nil, !commonHasCookie || credentials.hasLeft,
      !request.isTrace,
      let url = cookieURL(of: request, credentials)
    else { return nil }
    return storage.header(
      for: url, at: hostNamed(by: request, credentials) == nil ? target : nil,
      mainDocumentURL: request.mainDocumentURL,
      now: settings.eventLoop.loop.secondsSince1970)
  }

  /// The caller's own `Host`.
  private func hostNamed(by request: URLRequest, _ credentials: RequestCredentials) -> String? {
    request.headerFields["Host"] ?? (credentials.hasLeft ? nil : commonHost)
  }

  /// The address for a request's cookies, and its response's: that of the host which the request names to the
  /// server, where `Host` is the caller's own, because that host answers.
  func cookieURL(of request: URLRequest, _ credentials: RequestCredentials) -> URL? {
    request.cookieURL(at: hostNamed(by: request, credentials))
  }
}

extension URLRequest {
  /// The address for the request's cookies.
  ///
  /// - Parameter stated: The caller's own `Host`; nil for none.
  func cookieURL(at stated: String?) -> URL? {
    guard let url, let stated, let target = try? TargetURI.of(url) else { return url }
    // A port in it says nothing: cookies do not tell ports apart (§8.5), and those that do mean the one connected to.
    let name =
      stated.utf8.first == Byte.openBracket
      ? "\(stated.prefix { $0 != "]" })]" : String(stated.prefix { $0 != ":" })
    return URL(
      string: "\(target.origin.isSecure ? "https" : "http")://\(name):\(target.origin.port)\(target.path)")
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
