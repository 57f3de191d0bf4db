// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetTransport

// What the driver's exchanges tell it as their client (`ExchangeClient`), and the task or its listener is only told.
extension Load {
  var trustEvaluator: AnyObject? { ownDelegate ?? engine.listener?.taskDelegate }

  /// A head as the caller sees it.
  func response(_ head: ResponseHead) -> HTTPURLResponse? {
    state.request.url.map { url in
      HTTPURLResponse(
        url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead) {
    guard let listener, let response = response(head) else { return }
    listener.executor.run { [task = state.task] in listener.task(task, didReceiveFromProxy: response) }
  }

  func exchange(
    _ exchange: RequestDriver, didSend head: [UInt8], over connection: ConnectionFacts?, isReused: Bool
  ) {
    guard let listener else { return }
    let connection = URLSessionConnection(facts: connection, isReused: isReused)
    listener.executor.run { [task = state.task] in
      listener.task(task, willSend: Data(head), over: connection)
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead) {
    guard let listener, let response = response(head) else { return }
    listener.executor.run { [task = state.task] in listener.task(task, didReceiveInterim: response) }
  }

  func exchange(_ exchange: RequestDriver, didReceiveTrailers fields: FieldBlock) {
    // Those of a response that is not the task's are dropped.
    if case .receiving = state.phase { state.task.setTrailers(fields) }
  }

  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {
    state.task.count { $0.sent += Int64(count) }
    guard let listener else { return }
    let counts = state.task.byteCounts
    listener.executor.run { [task = state.task] in listener.task(task, didSend: Int64(count), counts) }
  }
}
