// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTransport

// Requests in their wire form. Where a storage is of a subclass, its methods are the user's code and run on the session's queue
// for them, never in loop context; otherwise they run where they are called.
extension Load {
  /// Asks a storage, then goes on in loop context. The load's state is not to be touched by the question.
  ///
  /// - Parameter queue: Where to ask if no storage is of a subclass; nil for here.
  func consult<Value: Sendable>(
    on queue: DispatchQueue? = nil, _ question: @escaping @Sendable () -> Value,
    then go: @escaping @Sendable (Value) -> Void
  ) {
    guard let queue = engine.storageQueue ?? queue else { return go(question()) }
    queue.async { [loop = engine.loop] in
      let answer = question()
      loop.execute { go(answer) }
    }
  }

  /// Puts another request of this task into its wire form, and sends it.
  func prepareAndSend(_ next: URLRequest) { prepare(next) { load in load.send() } }

  /// Puts another request of this task into its wire form, which takes cookies; then goes on, in loop context.
  func prepare(_ next: URLRequest, then go: @escaping @Sendable (Load) -> Void) {
    let body = withholdsContent ? RequestBody.none : state.body
    let (credentials, asksFirst, offer) = (state.credentials, state.machine.asksFirst, state.webSocket?.offer)
    guard engine.storageQueue != nil else {
      prepared.prepare(
        next, body: body, credentials, engine.requestBuilder, asksFirst: asksFirst, opening: offer)
      return go(self)
    }
    state.machine.load()
    consult({ [builder = engine.requestBuilder] in
      var prepared = PreparedRequest()
      prepared.prepare(next, body: body, credentials, builder, asksFirst: asksFirst, opening: offer)
      return prepared
    }) { [self] prepared in
      if state.isOver { return }
      self.prepared = prepared
      go(self)
    }
  }

  /// Sends the prepared request.
  func send() {
    if case .source(let source) = prepared.body {
      state.body = .source(source)
      if let coding = prepared.contentCoding {
        state.request = state.request.naming(coding)
        state.task.setCurrentRequest(state.request)
      }
      // A body that is sent again is counted from its beginning.
      state.task.count { counts in
        counts.sent = 0
        if let length = source.length { counts.expectedToSend = Int64(length) }
      }
    } else if !withholdsContent {
      state.body = .none
    }
    run(state.machine.send(by: .all(for: self)))
  }

  /// The request could not be put into its wire form.
  func failUnprepared() {
    if let failure = prepared.failure { finish(failure) } else { endLost("request") }
  }

  /// The prepared request is about to be sent, over a route of its own if there is one.
  func readyToSend(over route: Route?) {
    if let listener, listener.hearsTransmission { prepared.exchange?.tellsHead = true }
    if let route { prepared.exchange?.route = route }
    guard state.answersChallenge else { return }
    state.answersChallenge = false
    prepared.exchange?.answersChallenge = true
  }

  /// Whether the request has content, sent or held back.
  var hasContent: Bool { if case .none = state.body { false } else { true } }
}
