// SPDX-License-Identifier: MIT
import Bluebonnet

/// Makes the requests of a transfer as the session takes them.
struct RequestBuilder: Sendable {
  let plan: TransferPlan
  let cookies: CookieStore
  /// The challenges of servers on the way, for the next requests.
  private let authenticationCache = SharedAuthenticationCache()

  init(_ plan: TransferPlan, cookies: CookieStore) {
    self.plan = plan
    self.cookies = cookies
  }

  /// The request of a hop.
  ///
  /// - Parameter isAbsolute: A proxy is asked by the absolute form.
  func request(of hop: Hop, isAbsolute: Bool) throws(CommandError) -> URLRequest {
    guard let url = hop.address.url else {
      throw CommandError(.badURL, "this is not a URL: \(RedactedURL(unparsed: hop.address.text).short)")
    }
    var request = URLRequest(url: url)
    request.setRawMethod(hop.method)
    let (jar, place, options) = (cookies, hop.cookiePlace, plan.operation.cookies)
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

  private func addBody(
    to request: inout URLRequest, _ hop: Hop, _ fields: RequestFields
  ) throws(CommandError) {
    guard hop.sendsBody, let content = plan.content else { return }
    // A user that states this field wants chunks even where the length is known.
    let isChunked = fields["Transfer-Encoding"]?.lowercased() == "chunked"
    guard !isChunked && content.length != nil || !hop.usesHTTP10 && !hop.hasMetHTTP10 else {
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
        if form.contentLength < Self.mostEncoded, plan.operation.output.rateLimit == nil {
          let body = try made.encode()
          if isChunked { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }
        } else {
          let body = try made.streamed()
          request.httpBodyStream = paced(body.inputStream)
          let length = isChunked ? nil : body.length
          request.setValue(length.map { "\($0)" }, forHTTPHeaderField: "Content-Length")
        }
      } catch let error as CommandError {
        throw error
      } catch {
        throw CommandError(.readFailed, "the form cannot be made: \(error.localizedDescription)")
      }
    case .standardInput:
      guard hop.redirects == 0 else { throw Self.cannotRewind }
      request.httpBodyStream = paced(StandardInputStream())
    }
  }

  /// The body once more, for a request that is sent again; nil if it has none.
  func newBodyStream() throws(CommandError) -> InputStream? {
    switch plan.content {
    case .data(let body, _), .upload(let body): stream(of: body)
    case .form(let form): (try? form.made().streamed()).map { paced($0.inputStream) }
    case .standardInput: throw Self.cannotRewind
    case nil: nil
    }
  }

  private func stream(of body: BodyPlan) -> InputStream { paced(BodyStream(body)) }

  /// The stream at the rate of `--limit-rate`.
  private func paced(_ stream: InputStream) -> InputStream {
    guard let limit = plan.operation.output.rateLimit else { return stream }
    return PacedStream(stream, bytesPerSecond: limit)
  }

  /// Larger forms are encoded while they are sent.
  private static let mostEncoded = 1 << 20

  /// Standard input is asked for once more, or part of it was read.
  private static let cannotRewind = CommandError(
    .cannotRewind, "standard input would have to be sent again, and cannot be")

  /// RFC 9112 §6.1.
  static let tooOldForChunks = CommandError(.uploadFailed, "HTTP/1.0 has no bodies of unknown length")
}
