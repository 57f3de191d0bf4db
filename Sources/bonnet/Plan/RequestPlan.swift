import Bluebonnet

/// What the options come to: one request, and how it is to be treated.
struct RequestPlan: Equatable {
  struct Field: Equatable {
    let name: String
    let value: String
  }

  var url: URL
  var method: String
  var fields: [Field]
  var body: BodyPlan?
  /// `-X` was given: then redirects do not change the method.
  var keepsMethod: Bool
  var follows: Bool
  var redirectLimit: Int
  var isCompressed: Bool

  /// As many as curl follows.
  static let usualRedirectLimit = 50

  init(_ options: Options, files: BodyFiles) throws(CommandError) {
    let request = options.request
    // A form has no place in a query.
    let queries = request.putsDataIntoQuery && request.parts.isEmpty
    let content = try RequestContent(request, files: queries ? BodyFiles(read: files.read) : files)
    guard let text = options.url else { throw CommandError(.usage, "no URL given") }
    let address = try RequestAddress(text, adding: queries ? content?.body.bytes : nil)
    url = address.url

    let sends = queries ? nil : content
    guard sends == nil || !request.asksForHead else {
      throw CommandError(.usage, "-I sends no body; -d and -F do")
    }
    body = sends?.body
    method = request.method ?? (request.asksForHead ? "HEAD" : sends == nil ? "GET" : "POST")
    keepsMethod = request.method != nil
    follows = request.follows
    redirectLimit = Self.redirectLimit(request.redirectLimit)
    isCompressed = request.asksForCompression

    var fields = [Field(name: "User-Agent", value: "bonnet/\(Version.current)")]
    fields.append(Field(name: "Accept", value: request.json.isEmpty ? "*/*" : "application/json"))
    if let agent = request.agent { fields[0] = Field(name: "User-Agent", value: agent) }
    if request.agent == "" { fields.removeFirst() }
    if let user = request.user.map({ $0.contains(":") ? $0 : $0 + ":" }) ?? address.credentials {
      fields.append(Field(name: "Authorization", value: "Basic " + Data(user.utf8).base64EncodedString()))
    }
    if let referrer = request.referrer { fields.append(Field(name: "Referer", value: referrer)) }
    if let cookies = request.cookies {
      guard cookies.contains("=") else {
        throw CommandError(.usage, "-b takes cookies as name=value here, not a file of them: '\(cookies)'")
      }
      fields.append(Field(name: "Cookie", value: cookies))
    }
    if let range = request.range { fields.append(Field(name: "Range", value: "bytes=\(range)")) }
    if let type = sends?.type { fields.append(Field(name: "Content-Type", value: type)) }
    self.fields = try Self.applying(try FieldLine.lines(of: request.fields, read: files.read), to: fields)
  }

  /// As with curl, -1 means no limit.
  private static func redirectLimit(_ stated: Int?) -> Int {
    guard let stated else { return usualRedirectLimit }
    return stated < 0 ? .max : stated
  }

  /// The user's fields replace those of the same names, each of which may come more than once.
  private static func applying(_ own: [FieldLine], to fields: [Field]) throws(CommandError) -> [Field] {
    for line in own where line.name.lowercased() == "host" && line.value?.isEmpty != false {
      throw CommandError(.usage, "HTTP/1.1 has no requests without Host (RFC 9112 §3.2)")
    }
    return fields.filter { field in !own.contains { $0.name.lowercased() == field.name.lowercased() } }
      + own.compactMap { line in line.value.map { Field(name: line.name, value: $0) } }
  }
}
