import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetTransport

/// A request in its wire form, or why it has none. It is large, so it is made where it lies.
struct PreparedRequest: Sendable {
  private(set) var body = RequestBody.none
  /// What the body is encoded with, to be named in the request's fields; nil if it is sent as it is.
  private(set) var contentCoding: ContentCoding?
  /// What is shown to the origin, the URL's user information included.
  private(set) var secrets = OriginSecrets()
  /// The cookies that go out with it.
  private(set) var cookies: String?
  /// Nil if there is a failure, or once it has been sent.
  var exchange: ExchangeRequest?
  /// Why it cannot be sent.
  private(set) var failure: URLError?
  /// What loads a URL that leads nowhere on the network: a file, or data that stand in it. Only what the caller asked
  /// for is loaded so: no response may lead there.
  private(set) var local: URLProtocol.Type?
  /// The handshake of a request that opens a WebSocket.
  private(set) var opening: WebSocketOpening?

  /// What answers it, so that it need not be put into its wire form.
  private(set) var answer: MemoryResponses.PlainAnswer?

  /// What is fresh in the cache's memory answers the first request of a task.
  mutating func answer(with found: MemoryResponses.PlainAnswer) { answer = found }

  /// Prepares the first request of a task.
  mutating func prepare(for task: URLSessionTask, _ heads: RequestHeads) {
    guard let request = task.originalRequest else {
      // Only of resume data that are none is there no request.
      failure = task.body.resumption?.refusal ?? URLError(.badURL)
      return
    }
    prepare(for: task, request, heads)
  }

  /// Prepares a first request that the delegate has put in the place of the task's.
  mutating func prepare(for task: URLSessionTask, _ request: URLRequest, _ heads: RequestHeads) {
    do throws(URLError) {
      if case .resumption(let earlier) = task.body {
        // The rest of an http resource is on the network.
        return prepare(try earlier.asking(request), body: .none, OriginSecrets(), heads)
      }
      let body = try RequestBody(of: task, request: request)
      if case .source(let source) = body, let coded = try request.bodyCoding?.applied(to: source) {
        contentCoding = request.bodyCoding?.coding
        prepare(request.naming(contentCoding), body: .source(coded), OriginSecrets(), heads)
      } else {
        prepare(request, body: body, OriginSecrets(), heads, opening: task.webSocketLink?.offer)
      }
      // Nobody there exchanges messages.
      if failure != nil, task.webSocketLink == nil { local = LocalSchemes.protocolClass(for: request.url) }
    } catch {
      drop()
      failure = error
    }
  }

  /// Prepares a request with a body that is known already.
  ///
  /// - Parameters:
  ///   - asksFirst: false if `Expect` is not to be sent, whoever asks for it.
  ///   - offer: Makes it the opening handshake of a WebSocket.
  mutating func prepare(
    _ request: URLRequest, body: RequestBody, _ secrets: consuming OriginSecrets, _ heads: RequestHeads,
    asksFirst: Bool = true, opening offer: WebSocketOpening.Offer? = nil
  ) {
    self.body = body
    // Nearly always there are none, before and after: to put nothing in the place of nothing is not free.
    if !(self.secrets.isEmpty && secrets.isEmpty) { self.secrets = secrets }
    // Mostly there is nothing to forget, and to forget nothing is not free for what is large.
    drop()
    if case .some = failure { failure = nil }
    local = nil
    do throws(URLError) {
      guard let offer else {
        exchange = try heads.make(
          request, body: body, secrets: &self.secrets, cookies: &cookies, asksFirst: asksFirst)
        return
      }
      // What is offered may itself be out of range.
      if let refusal = heads.refusalOfAll(for: request.url) { throw refusal }
      let made = try WebSocketOpening(request, offer, common: heads.common)
      opening = made
      exchange = try heads.make(
        made.request, body: body, secrets: &self.secrets, cookies: &cookies, opensWebSocket: true)
    } catch {
      cookies = nil
      failure = error
    }
  }

  /// Forgets what has not been sent.
  mutating func drop() {
    if case .some = exchange { exchange = nil }
    if case .some = answer { answer = nil }
  }
}

extension URLRequest {
  /// This request with the coding of its body (RFC 9110 §8.4).
  func naming(_ coding: ContentCoding?) -> URLRequest {
    guard let coding else { return self }
    var coded = self
    coded.setValue(coding.name, forHTTPHeaderField: "Content-Encoding")
    return coded
  }
}
