import BluebonnetFoundation
import BluebonnetTransport

/// A request in its wire form, or why it has none.
struct PreparedRequest: Sendable {
  let body: RequestBody
  let result: Result<ExchangeRequest, URLError>

  /// The first request of a task.
  init(of task: URLSessionTask, _ heads: RequestHeads) {
    do throws(URLError) {
      guard let request = task.originalRequest else {
        throw .loading(
          .unsupportedURL, url: nil, phase: .preparing, reason: "there is nothing to resume the download from"
        )
      }
      self.init(request, body: try RequestBody(of: task, request: request), heads)
    } catch {
      self.init(failure: error)
    }
  }

  private init(failure: URLError) {
    body = .none
    result = .failure(failure)
  }

  /// A request with a body that is known already.
  ///
  /// - Parameter asksFirst: false if `Expect` is not to be sent, whoever asks for it.
  init(_ request: URLRequest, body: RequestBody, _ heads: RequestHeads, asksFirst: Bool = true) {
    self.body = body
    result = Result { () throws(URLError) in
      try heads.make(request, body: body, asksFirst: asksFirst)
    }
  }
}
