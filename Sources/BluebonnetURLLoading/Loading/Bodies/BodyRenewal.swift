// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetTransport

/// Gets another body for a load whose body was read, or that has none yet: a streamed upload's comes from the delegate, at first and
/// each time it has to be sent again.
struct BodyRenewal {
  let load: Load

  private typealias NewBody = (source: any BodySource, coding: ContentCoding?)

  /// A body that has been read from has to be sent again, and cannot be.
  func replace(_ source: any BodySource, of next: URLRequest, after status: Int?) {
    let occasion = status.map { " after the response with status \($0)" } ?? ""
    let obstacle = "the body has to be sent again\(occasion), and \(source.replayObstacle ?? "it cannot be")"
    // Only the producer could have another one.
    if case .produced = load.state.task.body { return load.finish(.bodyExhausted(next.url, obstacle)) }
    ask(for: next, because: obstacle)
  }

  /// Asks the delegate for a stream, then sends the request.
  ///
  /// - Parameter obstacle: Why the body that there was does not do.
  func ask(for next: URLRequest, because obstacle: String? = nil) {
    guard let listener = load.listener else {
      return load.finish(
        .bodyExhausted(next.url, obstacle ?? "there is no delegate to ask for the body's stream"))
    }
    let question = load.state.machine.ask(.bodyStream)
    let first = SingleAnswer()
    listener.ask(
      .bodyStream { [load] stream in
        // Of an answer that does not count, the stream is not touched either.
        guard first.take() else {
          return load.engine.loop.execute { load.reportIgnoredAnswer(to: .bodyStream) }
        }
        let body = Self.body(from: stream, of: next, obstacle)
        load.engine.loop.execute { if load.take(question) { send(next, body) } }
      }, of: load.state.task)
  }

  /// Sends a request with a body that the listener has given it in place of another. To encode it may take long.
  func takeBody(of next: URLRequest) {
    load.state.machine.load()
    load.consult(
      on: next.bodyCoding == nil ? nil : .global(),
      { [task = load.state.task] in Result { () throws(URLError) in try Self.body(of: next, for: task) } }
    ) { [self] body in
      if !load.state.isOver { send(next, body) }
    }
  }

  private static func body(of next: URLRequest, for task: URLSessionTask) throws(URLError) -> NewBody {
    guard case .source(let plain) = try RequestBody(of: task, request: next) else {
      throw .bodyExhausted(next.url, "there is none")
    }
    return try coded(plain, of: next)
  }

  private static func coded(_ plain: any BodySource, of next: URLRequest) throws(URLError) -> NewBody {
    guard let coding = next.bodyCoding, let coded = try coding.applied(to: plain) else { return (plain, nil) }
    return (coded, coding.coding)
  }

  private static func body(
    from stream: InputStream?, of next: URLRequest, _ obstacle: String?
  ) -> Result<NewBody, URLError> {
    Result { () throws(URLError) in
      guard let stream else {
        let lack = "the delegate has no stream for the body"
        throw .bodyExhausted(next.url, obstacle.map { "\($0); \(lack)" } ?? lack)
      }
      return try coded(try RequestBody.source(of: stream, next), of: next)
    }
  }

  private func send(_ next: URLRequest, _ body: Result<NewBody, URLError>) {
    if let ending = load.state.ending { return load.finish(ending) }
    do throws(URLError) {
      let body = try body.get()
      load.state.body = .source(body.source)
      load.prepared.contentCoding = body.coding
      var next = next.naming(body.coding)
      // The last body may have been in one, and this one is not worth it.
      if body.coding == nil, let coding = next.bodyCoding?.coding,
        next.value(forHTTPHeaderField: "Content-Encoding") == coding.name
      {
        next.setValue(nil, forHTTPHeaderField: "Content-Encoding")
      }
      load.state.request = next
      load.state.task.setCurrentRequest(next)
      load.prepareAndSend(next)
    } catch {
      load.finish(error)
    }
  }
}

extension URLError {
  fileprivate static func bodyExhausted(_ url: URL?, _ reason: String) -> URLError {
    .loading(.requestBodyStreamExhausted, url: url, phase: .preparing, reason: reason)
  }
}
