import Bluebonnet

extension Transfer {
  /// The request of a hop as the session takes it.
  ///
  /// - Parameter isAbsolute: A proxy is asked by the absolute form.
  func request(of hop: Hop, isAbsolute: Bool) throws(CommandError) -> URLRequest {
    guard let url = hop.address.url else {
      throw CommandError(.badURL, "this is not a URL: \(RedactedURL(unparsed: hop.address.text).short)")
    }
    var request = URLRequest(url: url)
    request.httpMethod = hop.method
    let (jar, place, options) = (context.cookies, cookiePlace(of: hop), plan.operation.cookies)
    let fields = hop.fields(cookies: jar.header(for: place, options))
    for field in fields.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    // A proxy is shown the host as it was typed.
    let usual =
      hop.address.needsProxy
      ? hop.address.proxyForm(as: hop.credentials)
      : isAbsolute && hop.address.isSpelledUnusually ? hop.address.absoluteForm : hop.address.statedTarget
    request.requestTarget = plan.operation.request.target ?? usual
    request.rawOptions = hop.rawOptions(authenticationCache: authenticationCache) {
      jar.header(for: place, options)
    }
    try addBody(to: &request, hop, fields)
    return request
  }

  /// The host that cookies belong to is the one that the user says.
  func cookiePlace(of hop: Hop) -> CookiePlace {
    let address = hop.address
    guard hop.showsSecrets,
      let stated = plan.operation.request.fields.compactMap({ FieldLine($0) })
        .first(where: { $0.name.lowercased() == "host" })?.value,
      !stated.isEmpty
    else { return CookiePlace(scheme: address.scheme, host: address.host, path: address.path) }
    // Without a port.
    let host = stated.hasPrefix("[") ? "\(stated.prefix { $0 != "]" })]" : String(stated.prefix { $0 != ":" })
    return CookiePlace(scheme: address.scheme, host: host, path: address.path)
  }

  private func addBody(
    to request: inout URLRequest, _ hop: Hop, _ fields: RequestFields
  ) throws(CommandError) {
    guard hop.sendsBody, let content = plan.content else { return }
    // A user that states this field wants chunks even where the length is known.
    let isChunked = fields["Transfer-Encoding"]?.lowercased() == "chunked"
    let isOfUnknownLength = if case .standardInput = content { true } else { isChunked }
    guard !isOfUnknownLength || !hop.usesHTTP10 && !hop.hasMetHTTP10 else {
      throw Self.tooOldForChunks
    }
    switch content {
    case .data(let body, _), .upload(let body):
      if let bytes = body.bytes, !isChunked, plan.operation.output.rateLimit == nil {
        request.httpBody = Data(bytes)
      } else {
        request.httpBodyStream = stream(of: body)
        request.setValue(isChunked ? nil : "\(body.length)", forHTTPHeaderField: "Content-Length")
      }
    case .form(let form):
      do {
        let made = try form.made()
        if form.contentLength < Self.mostEncoded {
          let body = try made.encode()
          if isChunked { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }
        } else {
          request.httpBodyStream = try made.streamed().inputStream
        }
      } catch let error as CommandError {
        throw error
      } catch {
        throw CommandError(.readFailed, "the form cannot be made: \(error.localizedDescription)")
      }
    case .standardInput:
      guard hop.redirects == 0 else { throw Self.cannotRewind }
      request.httpBodyStream = StandardInputStream()
    }
  }

  /// Standard input is asked for once more, or part of it was read.
  static var cannotRewind: CommandError {
    CommandError(.cannotRewind, "standard input would have to be sent again, and cannot be")
  }

  /// RFC 9112 §6.1.
  static var tooOldForChunks: CommandError {
    CommandError(.uploadFailed, "HTTP/1.0 has no bodies of unknown length")
  }

  /// Larger forms are encoded while they are sent.
  private static var mostEncoded: Int { 1 << 20 }

  private func stream(of body: BodyPlan) -> InputStream {
    guard let limit = plan.operation.output.rateLimit else { return BodyStream(body) }
    return PacedStream(BodyStream(body), bytesPerSecond: limit)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    switch plan.content {
    case .data(let body, _), .upload(let body): completionHandler(stream(of: body))
    case .form(let form): completionHandler((try? form.made().streamed())?.inputStream)
    case .standardInput:
      fail(Self.cannotRewind)
      completionHandler(nil)
    case nil: completionHandler(nil)
    }
  }
}
