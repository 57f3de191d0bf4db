import BluebonnetFoundation

extension URLSessionTask {
  /// Body bytes that have arrived.
  public var countOfBytesReceived: Int64 { members.withLock { $0.counts.received } }

  /// Body bytes that have been sent.
  public var countOfBytesSent: Int64 { members.withLock { $0.counts.sent } }

  /// The length of the response body, or `NSURLSessionTransferSizeUnknown`.
  public var countOfBytesExpectedToReceive: Int64 { members.withLock { $0.counts.expectedToReceive } }

  /// The length of the request body, or `NSURLSessionTransferSizeUnknown`.
  public var countOfBytesExpectedToSend: Int64 { members.withLock { $0.counts.expectedToSend } }

  /// What the caller thinks will arrive.
  public var countOfBytesClientExpectsToReceive: Int64 {
    get { members.withLock { $0.counts.clientExpectsToReceive } }
    set { members.withLock { $0.counts.clientExpectsToReceive = newValue } }
  }

  /// What the caller thinks will be sent.
  public var countOfBytesClientExpectsToSend: Int64 {
    get { members.withLock { $0.counts.clientExpectsToSend } }
    set { members.withLock { $0.counts.clientExpectsToSend = newValue } }
  }

  /// How far the load is, in hundredths; made when first asked for.
  public var progress: Progress {
    members.withLock { members in
      if let made = members.progress { return made }
      let progress = Progress(totalUnitCount: 100)
      members.progress = progress
      return progress
    }
  }

  /// The progress object, if anybody asked for it.
  package var askedProgress: Progress? { members.withLock { $0.progress } }
}
