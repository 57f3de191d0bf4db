// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1

// What the connection tells of the request.
extension RequestDriver: ConnectionClient {
  func requestStarts(headBytes: Int, reused: Bool) {
    guard case .exchanging(let connection) = state.stage else { return }
    if reused { state.metrics.reuse(connection.facts) }
    state.metrics.requestStart = loop.now
    state.metrics.requestHeadBytes = headBytes
    if request.tellsHead {
      state.client?.exchange(self, didSend: request.head, over: connection.facts, isReused: reused)
    }
    begin(.sending)
    if case .source(let source) = request.body { state.upload.begin(length: source.length) }
  }

  func sentAny() {
    // Also behind a 100 or the beginning of an early response.
    state.budget.progress(at: loop.now)
  }

  func requestEnded() {
    state.metrics.requestEnd = loop.now
    if state.upload.isMeasured {
      measureUpload()
      // What lies in this machine's kernel has not been sent, as far as the peer is concerned.
      guard !state.upload.isOutstanding else { return }
    }
    if !state.budget.phase.isReceiving { begin(.waiting) }
  }
}
