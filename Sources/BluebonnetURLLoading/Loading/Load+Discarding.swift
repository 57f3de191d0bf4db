// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

// Responses that are not the load's.
extension Load {
  /// The response is not the task's. A listener that hears what goes over the wire has heard of it before the next request is
  /// made: what that says may follow from it, such as cookies.
  func passOver(then next: NextStep) {
    guard let response = state.response, let listener, listener.hearsTransmission else {
      return discard(state.response, then: next)
    }
    let question = state.machine.ask(.transmission)
    listener.executor.run { [self, task = state.task] in
      listener.hear(.passedOver(response), of: task)
      engine.loop.execute { [self] in
        if take(question) { discard(state.response, then: next) }
      }
    }
    holdWhileDeciding()
  }

  /// Reads the rest of a response if that brings its connection back soon, then goes on.
  func discard(_ response: HTTPURLResponse?, then next: NextStep) {
    state.machine.discard(then: next)
    state.incoming.discarded = 0
    // Only noted: the old source is not let go on before it has been dealt with, or what it still has to say would be taken for the next
    // one's. That one begins with what holds the body then.
    state.incoming.holds.subtract(.decision)
    guard let source = state.source else { return perform(next) }
    guard let response, isWorthDraining(response, of: source) else { return source.cancel() }
    state.timers.discard = engine.loop.schedule(at: engine.loop.now.adding(Draining.patience)) { [self] in
      state.timers.discard = nil
      if case .discarding = state.phase { state.source?.cancel() }
    }
    // An unwanted body is read even if the task is suspended.
    source.release(.all)
  }

  /// Whether reading the response brings something, and there is not too much of it.
  private func isWorthDraining(_ response: HTTPURLResponse, of source: any ResponseSource) -> Bool {
    source.isWorthDraining(response)
      && Draining.isWorthwhile(
        status: response.statusCode, method: state.request.httpMethod, fields: response.fields)
  }

  func discard(_ bytes: UnsafeRawBufferPointer) {
    if state.incoming.isCopied { state.incoming.copy(bytes) }
    state.incoming.discarded += bytes.count
    guard state.incoming.discarded > Draining.limit else { return }
    state.source?.cancel()
  }
}
