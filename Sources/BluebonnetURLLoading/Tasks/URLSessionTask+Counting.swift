import BluebonnetFoundation

extension URLSessionTask {
  /// Body bytes that have arrived.
  public var countOfBytesReceived: Int64 { bytesReceived.load(ordering: .relaxed) }

  /// Body bytes that have been sent.
  public var countOfBytesSent: Int64 { members.withLock { $0.counts.sent } }

  /// The length of the response body, or `NSURLSessionTransferSizeUnknown`.
  public var countOfBytesExpectedToReceive: Int64 { members.withLock { $0.counts.expectedToReceive } }

  /// The length of the request body, or `NSURLSessionTransferSizeUnknown`.
  public var countOfBytesExpectedToSend: Int64 { members.withLock { $0.counts.expectedToSend } }

  /// What the caller thinks will arrive. Has no meaning on Linux: a hint for the scheduling of background sessions.
  public var countOfBytesClientExpectsToReceive: Int64 {
    get { members.withLock { $0.counts.clientExpectsToReceive } }
    set { members.withLock { $0.counts.clientExpectsToReceive = newValue } }
  }

  /// What the caller thinks will be sent. Has no meaning on Linux: a hint for the scheduling of background sessions.
  public var countOfBytesClientExpectsToSend: Int64 {
    get { members.withLock { $0.counts.clientExpectsToSend } }
    set { members.withLock { $0.counts.clientExpectsToSend = newValue } }
  }
}
