import BluebonnetFoundation
import BluebonnetTransport

/// A request in its wire form, or why it has none.
struct PreparedRequest: Sendable {
  let body: RequestBody
  /// What is shown to the origin, the URL's user information included.
  let secrets: OriginSecrets
  let result: Result<ExchangeRequest, URLError>

  /// The first request of a task.
  init(of task: URLSessionTask, _ heads: RequestHeads) {
    do throws(URLError) {
      guard let request = task.originalRequest else {
        throw .loading(
          .unsupportedURL, url: nil, phase: .preparing, reason: "there is nothing to resume the download from"
        )
      }
      self.init(request, body: try RequestBody(of: task, request: request), OriginSecrets(), heads)
    } catch {
      self.init(failure: error)
    }
  }

  private init(failure: URLError) {
    body = .none
    secrets = OriginSecrets()
    result = .failure(failure)
  }

  /// A request with a body that is known already.
  init(_ request: URLRequest, body: RequestBody, _ secrets: OriginSecrets, _ heads: RequestHeads) {
    var secrets = secrets
    self.body = body
    result = Result { () throws(URLError) in try heads.make(request, body: body, secrets: &secrets) }
    self.secrets = secrets
  }
}
