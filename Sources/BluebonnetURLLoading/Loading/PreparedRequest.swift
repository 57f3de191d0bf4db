import BluebonnetSemantics
import BluebonnetFoundation
import BluebonnetTransport

/// A request in its wire form, or why it has none.
struct PreparedRequest: Sendable {
  let body: RequestBody
  /// What is shown to the origin, the URL's user information included.
  let secrets: OriginSecrets
  /// Nil if there is a failure, or once it has been sent.
  var exchange: ExchangeRequest?
  /// Why it cannot be sent.
  let failure: URLError?
  /// What loads a URL that leads nowhere on the network: a file, or data that stand in it. Only what the caller asked
  /// for is loaded so: no response may lead there.
  private(set) var local: URLProtocol.Type?

  /// The first request of a task.
  init(of task: URLSessionTask, _ heads: RequestHeads) {
    guard let request = task.originalRequest else {
      self.init(failure: RefusedSetting.resumption.error(for: nil))
      return
    }
    self.init(of: task, request, heads)
  }

  /// A first request that the delegate has put in the place of the task's.
  init(of task: URLSessionTask, _ request: URLRequest, _ heads: RequestHeads) {
    do throws(URLError) {
      self.init(request, body: try RequestBody(of: task, request: request), OriginSecrets(), heads)
      if failure != nil { local = LocalSchemes.protocolClass(for: request.url) }
    } catch {
      self.init(failure: error)
    }
  }

  private init(failure: URLError) {
    body = .none
    secrets = OriginSecrets()
    self.failure = failure
  }

  /// A request with a body that is known already.
  ///
  /// - Parameter asksFirst: false if `Expect` is not to be sent, whoever asks for it.
  init(
    _ request: URLRequest, body: RequestBody, _ secrets: OriginSecrets, _ heads: RequestHeads,
    asksFirst: Bool = true
  ) {
    var secrets = secrets
    self.body = body
    do throws(URLError) {
      exchange = try heads.make(request, body: body, secrets: &secrets, asksFirst: asksFirst)
      failure = nil
    } catch {
      failure = error
    }
    self.secrets = secrets
  }
}
