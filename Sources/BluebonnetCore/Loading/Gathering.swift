// SPDX-License-Identifier: MIT

/// Gathers a response in memory.
// Unchecked: touched only while the loop is held.
final class Gathering: CallReceiver, @unchecked Sendable {
  private let limit: Int
  private var completion: ((Result<HTTPClient.Response, HTTPClientError>) -> Void)?
  private var head: HTTPClient.Head?
  private var body: [UInt8] = []
  private var trailers = HTTPClient.Fields()

  /// - Parameters:
  ///   - limit: Bytes of a body that are kept.
  ///   - completion: Called once, in loop context: it hands on and returns.
  init(
    limit: Int, _ completion: @escaping @Sendable (Result<HTTPClient.Response, HTTPClientError>) -> Void
  ) {
    self.limit = limit
    self.completion = completion
  }

  var keepsBody: Bool { true }

  func receive(_ head: HTTPClient.Head, bodyLength: Int?) throws(HTTPClientError) {
    self.head = head
    guard let bodyLength else { return }
    guard bodyLength <= limit else { throw tooLarge() }
    // Of what a server promises, no more memory is taken at once than it costs nothing to take in vain.
    body.reserveCapacity(min(bodyLength, 1 << 20))
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPClientError) -> Bool {
    guard bytes.count <= limit - body.count else { throw tooLarge() }
    body.append(contentsOf: bytes)
    return true
  }

  func receive(trailers: HTTPClient.Fields) { self.trailers = trailers }

  func end(_ error: HTTPClientError?) {
    guard let completion = completion.take() else { return }
    if let error { return completion(.failure(error)) }
    guard let head else {
      return completion(
        .failure(
          HTTPClientError(.internalFailure, "there is no response", fault: .local, during: .receivingHead)))
    }
    completion(.success(HTTPClient.Response(head: head, body: body, trailers: trailers)))
  }

  private func tooLarge() -> HTTPClientError {
    HTTPClientError(
      .bodyTooLarge, "the body has more than \(limit) bytes (HTTPClient.Configuration.maximumBodySize)",
      fault: .caller, during: .receivingBody)
  }
}
