// SPDX-License-Identifier: MIT

/// The receiver of a call's response, always called while the loop is held.
protocol CallReceiver: AnyObject, Sendable {
  /// Whether the body is going to be in memory as a whole.
  var keepsBody: Bool { get }

  /// - Parameter length: How many bytes follow; nil when unknown or coded.
  /// - Throws: if it does not want the body.
  func receive(_ head: HTTPClient.Head, bodyLength: Int?) throws(HTTPClientError)

  /// The bytes are valid during the call only.
  ///
  /// - Returns: whether more may follow; otherwise the call is told when.
  /// - Throws: if it does not want more.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPClientError) -> Bool

  func receive(trailers: HTTPClient.Fields)

  /// The last call, and the only one if there was no response.
  func end(_ error: HTTPClientError?)
}
