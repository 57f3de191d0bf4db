// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetTransport

// What the driver's exchanges tell it as their client (`ExchangeClient`), and the task or its listener is only told.
extension Load {
  /// Tells the listener, if there is one. In loop context.
  func tell(_ event: LoadEvent) { listener?.tell(event, of: state.task) }

  var trustEvaluator: AnyObject? { ownDelegate ?? engine.listener?.taskDelegate }

  /// A head as the caller sees it.
  func response(_ head: ResponseHead) -> HTTPURLResponse? {
    state.request.url.map { url in
      HTTPURLResponse(
        url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead) {
    if listener != nil, let response = response(head) { tell(.tunnelResponse(response)) }
  }

  func exchange(
    _ exchange: RequestDriver, didSend head: [UInt8], over connection: ConnectionFacts?, isReused: Bool
  ) {
    guard let listener else { return }
    let connection = URLSessionConnection(facts: connection, isReused: isReused)
    listener.tell(.sending(head: Data(head), connection), of: state.task)
  }

  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead) {
    if listener != nil, let response = response(head) { tell(.interim(response)) }
  }

  func exchange(_ exchange: RequestDriver, didReceiveTrailers fields: FieldBlock) {
    // Those of a response that is not the task's are dropped.
    if case .receiving = state.phase { state.task.setTrailers(fields) }
  }

  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {
    state.task.count { $0.sent += Int64(count) }
    guard let listener else { return }
    let counts = state.task.byteCounts
    listener.tell(
      .sent(Int64(count), total: counts.sent, expected: counts.expectedToSend), of: state.task)
  }
}
