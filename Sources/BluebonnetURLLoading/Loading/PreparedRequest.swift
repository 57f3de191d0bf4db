// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

/// A request in its wire form, or why it has none. It is large, so it is made where it lies.
struct PreparedRequest: Sendable {
  private(set) var body = RequestBody.none
  /// The coding of the body, to be named in the request's fields; nil if it is sent as it is.
  var contentCoding: ContentCoding?
  /// The credentials for the origin, the URL's user information included.
  private(set) var credentials = RequestCredentials()
  /// The cookies that go out with it.
  private(set) var cookies: FieldValue?
  /// Nil if there is a failure, or once it has been sent.
  var exchange: ExchangeRequest?
  /// Why it cannot be sent.
  private(set) var failure: URLError?
  /// The class that loads a URL not on the network: a file, or data in the URL. Only the caller's own URL
  /// is loaded so: no response may lead there.
  private(set) var local: URLProtocol.Type?
  /// The handshake of a request that opens a WebSocket.
  private(set) var opening: WebSocketOpening?

  /// The answer from the cache, so that the request need not be put into its wire form.
  private(set) var answer: InMemoryResponseStore.PlainAnswer?

  /// A fresh response in the cache's memory answers the first request of a task.
  mutating func answer(with found: InMemoryResponseStore.PlainAnswer) { answer = found }

  /// Prepares the first request of a task.
  mutating func prepare(for task: URLSessionTask, _ builder: RequestBuilder) {
    guard let request = task.originalRequest else {
      // Only of resume data that are none is there no request.
      failure = task.body.resumption?.refusal ?? URLError(.badURL)
      return
    }
    prepare(for: task, request, builder)
  }

  /// Prepares a first request that the delegate has put in the place of the task's.
  mutating func prepare(for task: URLSessionTask, _ request: URLRequest, _ builder: RequestBuilder) {
    do throws(URLError) {
      if case .resumption(let earlier) = task.body {
        // The rest of an http resource is on the network.
        return prepare(try earlier.asking(request), body: .none, RequestCredentials(), builder)
      }
      let body = try RequestBody(of: task, request: request)
      if case .source(let source) = body, let coded = try request.bodyCoding?.applied(to: source) {
        contentCoding = request.bodyCoding?.coding
        prepare(request.naming(contentCoding), body: .source(coded), RequestCredentials(), builder)
      } else {
        prepare(request, body: body, RequestCredentials(), builder, opening: task.webSocketLink?.offer)
      }
      // No messages are exchanged with a file.
      if failure != nil, task.webSocketLink == nil { local = LocalSchemes.protocolClass(for: request.url) }
    } catch {
      drop()
      failure = error
    }
  }

  /// Prepares a request with a body that is known already.
  ///
  /// - Parameters:
  ///   - asksFirst: Whether `Expect` may be sent.
  ///   - offer: Makes it the opening handshake of a WebSocket.
  mutating func prepare(
    _ request: URLRequest, body: RequestBody, _ credentials: consuming RequestCredentials,
    _ builder: RequestBuilder,
    asksFirst: Bool = true, opening offer: WebSocketOpening.Offer? = nil
  ) {
    self.body = body
    // Nearly always there are none, before and after: to put nothing in the place of nothing is not free.
    if !(self.credentials.isEmpty && credentials.isEmpty) { self.credentials = credentials }
    // Mostly there is nothing to drop, and for a large value even that is not free.
    drop()
    if case .some = failure { failure = nil }
    local = nil
    do throws(URLError) {
      guard let offer else {
        exchange = try builder.make(
          request, body: body, credentials: &self.credentials, cookies: &cookies, asksFirst: asksFirst)
        return
      }
      // The offer may itself be out of range.
      if let refusal = builder.refusalOfAll(for: request.url) { throw refusal }
      let made = try WebSocketOpening(request, offer, common: builder.common)
      opening = made
      exchange = try builder.make(
        made.request, body: body, credentials: &self.credentials, cookies: &cookies, opensWebSocket: true)
    } catch {
      cookies = nil
      failure = error
    }
  }

  /// Hands the request over to be sent. Swapped: taking it out of the optional would copy it first.
  mutating func takeExchange() -> ExchangeRequest? {
    var taken: ExchangeRequest?
    swap(&taken, &exchange)
    return taken
  }

  /// Forgets an unsent request.
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
