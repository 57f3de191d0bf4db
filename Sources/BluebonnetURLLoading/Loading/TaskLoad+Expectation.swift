import BluebonnetTransport

extension TaskLoad {
  /// RFC 9110 §10.1.1: the server does not know what `Expect` means; the request is sent once more without it.
  ///
  /// - Returns: false if that is not what the response says.
  func expectationFailed(_ exchange: RequestDriver, _ response: HTTPURLResponse) -> Bool {
    guard response.statusCode == 417, exchange.request.expectsContinue, asksFirst else { return false }
    asksFirst = false
    discard(thenSend: request)
    return true
  }
}
