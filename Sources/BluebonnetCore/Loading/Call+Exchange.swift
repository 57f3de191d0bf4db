// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTransport

// What the exchange tells.
extension Call: ExchangeClient {
  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {}

  /// The server's certificate has to hold; there is no exception.
  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) { decision(.performDefault) }

  func keepsBody(of exchange: RequestDriver) -> Bool { receiver?.keepsBody ?? false }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
    guard case .exchanging(let driver) = stage, driver === exchange else { return }
    do throws(HTTPClientError) {
      if head.status == 101 {
        throw HTTPClientError(
          .invalidResponse,
          "the server switched protocols without being asked (RFC 9110 §15.2.2)",
          fault: .server, during: .receivingHead)
      }
      if let next = try redirect(by: head) {
        return discard(head, of: driver, then: next)
      }
      try receiver?.receive(
        HTTPClient.Head(
          status: head.status, reason: head.reason, fields: HTTPClient.Fields(head.fields), url: hop.url),
        // RFC 9110 §8.6: the length that these name is that of another response.
        bodyLength: hop.method == "HEAD" || head.status == 304 ? 0 : bodyLength)
    } catch {
      fail(error)
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    switch stage {
    case .exchanging(let driver):
      do throws(HTTPClientError) {
        if let receiver, !(try receiver.receive(bytes)) { driver.hold(.slowReader) }
      } catch {
        fail(error)
      }
    case .discarding: discard(bytes.count)
    case .made, .cancelled, .finished: break
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveTrailers fields: FieldBlock) {
    if case .exchanging = stage { receiver?.receive(trailers: HTTPClient.Fields(fields)) }
  }

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    switch stage {
    case .exchanging: finish(error.map { HTTPClientError($0) })
    // Whatever has become of the unwanted rest.
    case .discarding(_, let next): follow(next)
    case .made, .cancelled, .finished: break
    }
  }
}
