import BluebonnetSemantics
import BluebonnetFoundation
import BluebonnetTransport

/// A request in its wire form, or why it has none. It is large, so it is made where it lies.
struct PreparedRequest: Sendable {
  private(set) var body = RequestBody.none
  /// What is shown to the origin, the URL's user information included.
  private(set) var secrets = OriginSecrets()
  /// Nil if there is a failure, or once it has been sent.
  var exchange: ExchangeRequest?
  /// Why it cannot be sent.
  private(set) var failure: URLError?
  /// What loads a URL that leads nowhere on the network: a file, or data that stand in it. Only what the caller asked
  /// for is loaded so: no response may lead there.
  private(set) var local: URLProtocol.Type?

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
      prepare(request, body: try RequestBody(of: task, request: request), OriginSecrets(), heads)
      if failure != nil { local = LocalSchemes.protocolClass(for: request.url) }
    } catch {
      failure = error
    }
  }

  /// Prepares a request with a body that is known already.
  ///
  /// - Parameter asksFirst: false if `Expect` is not to be sent, whoever asks for it.
  mutating func prepare(
    _ request: URLRequest, body: RequestBody, _ secrets: OriginSecrets, _ heads: RequestHeads,
    asksFirst: Bool = true
  ) {
    self.body = body
    self.secrets = secrets
    (exchange, failure, local) = (nil, nil, nil)
    do throws(URLError) {
      exchange = try heads.make(request, body: body, secrets: &self.secrets, asksFirst: asksFirst)
    } catch {
      failure = error
    }
  }

  /// Forgets what has not been sent.
  mutating func drop() {
    if case .some = exchange { exchange = nil }
  }
}
