// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

// Responses from the cache, and bytes of the body wherever they come from.
extension LoadDriver: CachedBodyClient {
  func decide(onKept response: URLResponse) {
    guard let head = response as? HTTPURLResponse else {
      begin(response, of: response.expectedContentLength, isKept: false)
      return delivery.takeBody(of: response)
    }
    state.response = head
    received(head, by: RedirectPolicy.isRedirect(head.statusCode) ? .redirect : .none)
  }

  func receive(kept piece: Data) { if !delivery.keeps(piece) { receive(piece) } }

  func receive(_ piece: Data) { if !delivery.takes(piece) { piece.withUnsafeBytes { receive($0) } } }

  /// A piece of the body: a copy may go into the cache.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    guard delivery.admits(bytes.count) else { return }
    if state.incoming.isCopied {
      if let cache { cache.copy(bytes) } else { state.incoming.copy(bytes) }
    }
    delivery.take(bytes)
  }

  func keptBodyEnded(_ response: URLResponse, _ failure: URLError?) {
    sourceEnded(.kept(state.request, response, clock), failure)
  }
}

extension LoadTransaction {
  /// A response that was kept: there is no connection.
  fileprivate static func kept(
    _ request: URLRequest, _ response: URLResponse, _ clock: ClockAnchor
  ) -> LoadTransaction {
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    return .measured(
      URLSessionTaskTransactionMetrics(
        request: request, response: response, resourceFetchType: .localCache, clock: clock, instants: .init(),
        connection: connection, sizes: .init()))
  }
}
