// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetSemantics

/// One request of a transfer: the first, or where a redirect leads. A value: what follows from a response is decided here.
struct Hop: Equatable, Sendable {
  let plan: TransferPlan
  var address: RequestAddress
  var method: String
  /// The body stays behind where a redirect makes the request a GET.
  var sendsBody: Bool
  var referrer: String?
  /// The last address on the way here with credentials.
  var naming: RequestAddress
  /// One of the servers on the way here speaks HTTP/1.0, so that the next one may, too: there are no chunks.
  var hasMetHTTP10 = false
  /// The version in which the request is sent.
  var usesHTTP10: Bool
  /// The number of redirects that led here.
  var redirects = 0
  /// The credentials are for this server.
  var showsSecrets = true
  /// A server before has asked for Basic, of several schemes: it is what goes out from then on.
  var hasChosenBasic = false

  init(first plan: TransferPlan) {
    self.plan = plan
    address = plan.address
    naming = plan.address
    method = plan.method
    sendsBody = plan.content != nil
    referrer = plan.operation.request.referrer
    usesHTTP10 = plan.operation.request.usesHTTP10
  }

  private var operation: Operation { plan.operation }

  // MARK: The request

  /// The credentials: those of the options go before the URL's.
  var credentials: (user: String, password: String)? {
    if showsSecrets, let user = operation.authentication.user {
      let halves = ByteText.halves(user, at: ":")
      return (halves?.before ?? user, halves?.after ?? "")
    }
    // Another server gets none, not even those of its own address: the sender of the redirect has chosen them.
    let own = showsSecrets ? naming.credentials : nil
    if let own, plan.netrc == nil || !own.password.isEmpty && operation.authentication.netrc != .required {
      return own
    }
    // What a file says of a server is for that one, wherever the request came from. A name in the URL chooses.
    if let found = plan.netrc?.credentialBytes(for: lookedUp(own?.user)) {
      return (ByteText.text(found.user), ByteText.text(found.password))
    }
    return operation.authentication.netrc == .required ? nil : own
  }

  private func lookedUp(_ user: String?) -> URL {
    let plain = address.url ?? URL(fileURLWithPath: "/")
    guard let user, !user.isEmpty else { return plain }
    let escaped = String(decoding: PercentCoding.encoded(ByteText.bytes(user)), as: UTF8.self)
    return URL(string: "\(address.scheme)://\(escaped)@\(address.authority)/") ?? plain
  }

  /// The host that cookies belong to is the one that the user says.
  var cookiePlace: CookiePlace {
    var host = address.host
    if showsSecrets,
      let stated = operation.request.fields.compactMap({ FieldLine($0) })
        .first(where: { $0.name.lowercased() == "host" })?.value,
      !stated.isEmpty
    {
      // Without a port.
      host = stated.hasPrefix("[") ? "\(stated.prefix { $0 != "]" })]" : String(stated.prefix { $0 != ":" })
    }
    return CookiePlace(scheme: address.scheme, host: host, path: address.path)
  }

  /// The one scheme that takes a request without its content first, because it is going to be refused. Not Negotiate: without
  /// a ticket there is no answer, and the request goes out as it is.
  private var isSureToBeAsked: Bool {
    let methods = operation.authentication.methods
    return (methods == .digest || methods == .ntlm) && credentials != nil && sendsBody
  }

  /// The fields of the request.
  ///
  /// - Parameter cookies: What the jar has for this address.
  func fields(cookies: String?) -> RequestFields {
    let request = operation.request
    var fields = RequestFields()
    if let bearer = operation.authentication.bearer, showsSecrets {
      fields.add("Authorization", "Bearer " + bearer)
    } else if let (user, password) = credentials, operation.authentication.methods == .basic || hasChosenBasic
    {
      fields.add(
        "Authorization", "Basic " + Data(ByteText.bytes("\(user):\(password)")).base64EncodedString())
    }
    addRange(to: &fields)
    if request.agent != "" { fields.add("User-Agent", request.agent ?? VersionText.product) }
    // Where a redirect makes a GET of the request, too.
    fields.add("Accept", operation.content.isJSON ? "application/json" : "*/*")
    if let referrer, !referrer.isEmpty { fields.add("Referer", referrer) }
    let texts = showsSecrets && !operation.cookies.texts.isEmpty ? operation.cookies.texts : []
    let all = (cookies.map { [$0] } ?? []) + (texts.isEmpty ? [] : [texts.joined(separator: ";")])
    if !all.isEmpty { fields.add("Cookie", all.joined(separator: "; ")) }
    if let condition = request.timeCondition {
      fields.add(
        condition.wantsOlder ? "If-Unmodified-Since" : "If-Modified-Since", HTTPDate.format(condition.time))
    }
    if request.asksForTransferCoding { fields.add("TE", "gzip") }
    // Otherwise the session asks, and decodes what comes.
    if request.asksForCompression, request.isRaw {
      fields.add("Accept-Encoding", HTTPHeader.defaultAcceptEncoding.value)
    }
    if let tag = plan.entityTag { fields.add("If-None-Match", tag) }
    if sendsBody {
      switch plan.content {
      case .data(_, let type): fields.add("Content-Type", type)
      case .form(let form): fields.add("Content-Type", form.contentType)
      case .upload, .standardInput, nil: break
      }
      if asksFirst { fields.add("Expect", "100-continue") }
    }
    fields.apply(ownFields())
    if request.asksForTransferCoding, fields["TE"] != nil { fields.join("Connection", "TE") }
    return fields
  }

  /// The user's fields, but for those that other servers must not see.
  private func ownFields() -> [FieldLine] {
    var lines: [FieldLine] = []
    for text in operation.request.fields {
      guard let line = FieldLine(text) else { continue }
      let name = line.name.lowercased()
      if !showsSecrets, ["authorization", "cookie", "host"].contains(name) { continue }
      // Fields of the whole form are in its own, with the boundary.
      if sendsBody, case .form = plan.content, name == "content-type", line.value?.isEmpty == false {
        continue
      }
      // The first Host is the one.
      if name == "host", lines.contains(where: { $0.name.lowercased() == name }) { continue }
      lines.append(line)
    }
    return lines
  }

  /// The raw options of the request: as the user has spelled it.
  ///
  /// - Parameter cookies: The jar's cookies for this address at the time when a request is made.
  func rawOptions(authenticationCache: SharedAuthenticationCache, cookies: @escaping @Sendable () -> String?)
    -> RawRequestOptions
  {
    let own = ownFields().first { $0.name.lowercased() == "host" }
    let host: RawRequestOptions.Host =
      if let own { own.value == nil ? .omitted : .written(own.rest) } else {
        .written(" \(address.hostField)")
      }
    let isNTLM = operation.authentication.methods == .ntlm
    let ntlm = credentials.flatMap {
      isNTLM ? URLCredential(user: $0.user, password: $0.password, persistence: .none) : nil
    }
    return RawRequestOptions(
      host: host, withholdsContent: isSureToBeAsked, ntlm: ntlm, authenticationCache: authenticationCache
    ) {
      fields(cookies: cookies()).fields.map {
        RawRequestOptions.Line(name: $0.name, bytes: ByteText.bytes($0.spelling))
      }
    }
  }

  private func addRange(to fields: inout RequestFields) {
    if case .upload(let body) = plan.content, let offset = plan.resumesAt, offset > 0 {
      if sendsBody {
        let total = offset + body.length
        fields.add("Content-Range", "bytes \(offset)-\(total - 1)/\(total)")
      }
    } else if let offset = plan.resumesAt, offset > 0 {
      fields.add("Range", "bytes=\(offset)-")
    } else if let range = operation.request.range {
      fields.add("Range", "bytes=\(range)")
    }
  }

  /// A body of more than this is not sent before the server has had a look at the head, as with curl.
  private static let mostUnasked = 1 << 20

  private var asksFirst: Bool {
    guard !usesHTTP10 else { return false }
    return switch plan.content {
    case nil: false
    case .data(let body, _): body.length > Self.mostUnasked
    // As curl 7.88: a file is always announced.
    case .upload(let body): body.length > 0
    case .form(let form): form.contentLength > Self.mostUnasked
    case .standardInput: true
    }
  }

  // MARK: What follows from a response

  /// Whether a redirect by this status makes the request a GET (RFC 9110 §15.4), unless the options say otherwise.
  private func becomesGet(after status: Int) -> Bool {
    let isPost = sendsBody && plan.content?.isUpload == false
    if isPost, operation.redirects.keepsPostAfter.contains(status) { return false }
    switch status {
    case 301, 302: return isPost
    case 303: return sendsBody || method != "GET" && method != "HEAD"
    default: return false
    }
  }

  /// The target of a redirect.
  ///
  /// - Parameter location: In the server's spelling.
  func next(to location: String, status: Int) throws(CommandError) -> Hop {
    let limit = operation.redirects.limit
    if let limit, redirects >= limit {
      throw CommandError(.tooManyRedirects, "more than \(limit) redirects")
    }
    var next = self
    next.redirects += 1
    var rules = RequestAddress.Rules(keepsDots: operation.request.keepsDots)
    rules.refusesUsers = operation.request.refusesUsers
    // --proto-redir allows nothing that --proto denies.
    rules.schemes = operation.request.schemes
    next.address = try address.following(location, rules: rules)
    guard operation.redirects.schemes.contains(next.address.scheme) else {
      throw CommandError(
        .unsupportedScheme, "the redirect's scheme \"\(next.address.scheme)\" was ruled out by --proto-redir")
    }
    if next.address.user != nil { next.naming = next.address }
    next.showsSecrets = operation.redirects.trustsOthers || next.address.isSameOrigin(as: plan.address)
    if operation.request.refersAutomatically {
      // RFC 9110 §10.1.3: a secure address is not shown to a server that is not secure.
      next.referrer = address.scheme == "https" && next.address.scheme != "https" ? nil : address.text
    }
    if becomesGet(after: status) {
      next.sendsBody = false
      // What -X says holds for every request.
      if operation.request.method == nil { next.method = method == "HEAD" ? "HEAD" : "GET" }
    }
    return next
  }

  /// The fate of a response's body.
  enum BodyUse: Equatable, Sendable {
    case written
    /// It is read, and not shown.
    case ignored
    /// The transfer ends here, well.
    case unwanted
    /// None of it may be written: a failure, unless there is nothing of it.
    case refused(CommandError)
    case failure(CommandError)
  }

  /// - Parameters:
  ///   - field: The value of a field.
  ///   - length: The announced length of the body, as it is sent; nil if there is none.
  ///   - shown: The request, for messages.
  func use(status: Int, length: Int64?, shown: String, answer: String, field: (String) -> String?) -> BodyUse
  {
    let resumesAt = plan.content?.isUpload == true ? nil : plan.resumesAt.flatMap { $0 > 0 ? $0 : nil }
    if operation.output.failsOnErrorStatus, status >= 400, status != 416 || resumesAt == nil {
      return .failure(CommandError(.errorStatus, "\(shown): \(answer)"))
    }
    if operation.request.asksForHead { return method == "HEAD" ? .written : .unwanted }
    if let resumesAt {
      if status == 416 { return .ignored }
      guard Self.goesOn(at: resumesAt, status: status, contentRange: field("Content-Range")) else {
        // All of it is there already.
        if status != 206, (200..<300).contains(status), length == Int64(resumesAt) { return .unwanted }
        return .refused(
          CommandError(
            .rangeRefused,
            "\(shown): \(answer), and not with what follows byte \(resumesAt), so there is no going on there")
        )
      }
    }
    // RFC 9110 §8.6: these have a length to tell, and no body.
    let hasBody = method != "HEAD" && status != 204 && status != 304
    if hasBody, let limit = operation.output.sizeLimit, let length, length > Int64(limit) {
      return .failure(
        CommandError(.tooLarge, "\(shown): \(length) bytes are more than --max-filesize allows"))
    }
    if isUnmet(status: status, field) { return .unwanted }
    if let coding = unknownCoding(field("Content-Encoding") ?? "") {
      return .failure(
        CommandError(
          .badCoding,
          "the server chose a content coding that was not asked for: content coding \(coding) is not supported"
        ))
    }
    return .written
  }

  /// The codings that the library decodes, and the ones that stand for nothing.
  private static let decodedCodings: Set = ["br", "gzip", "x-gzip", "deflate", "identity", "none", ""]

  /// With `--compressed` the content is wanted, or nothing if it cannot be had.
  private func unknownCoding(_ codings: String) -> String? {
    guard operation.request.asksForCompression, !operation.request.isRaw, plan.method != "HEAD" else {
      return nil
    }
    return codings.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.first {
      !Self.decodedCodings.contains($0.lowercased())
    }
  }

  /// Whether a response is the part of the file that begins at `offset`: no other may be put behind the present bytes (RFC
  /// 9110 §14.4, §15.3.7).
  private static func goesOn(at offset: Int, status: Int, contentRange: String?) -> Bool {
    guard status == 206, case .part(Int64(offset), _, _)? = contentRange.flatMap({ ContentRange($0) }) else {
      return false
    }
    return true
  }

  /// Whether the server sent what the condition of `-z` rules out.
  private func isUnmet(status: Int, _ field: (String) -> String?) -> Bool {
    guard let condition = operation.request.timeCondition, (200..<300).contains(status),
      let modified = field("Last-Modified").flatMap({ HTTPDate.parse($0, now: condition.time) })
    else { return false }
    return condition.wantsOlder ? modified > condition.time : modified <= condition.time
  }
}
