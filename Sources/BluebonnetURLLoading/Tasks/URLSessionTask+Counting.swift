// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionTask {
  /// Bytes of the response's body that have arrived, counted after its content coding was undone.
  public var countOfBytesReceived: Int64 { bytesReceived.load(ordering: .relaxed) }

  /// Bytes of the request's body that have been sent; counted anew when the body is sent again.
  public var countOfBytesSent: Int64 { members.withLock { $0.counts.sent } }

  /// The length of the response body, or `NSURLSessionTransferSizeUnknown`.
  public var countOfBytesExpectedToReceive: Int64 { members.withLock { $0.counts.expectedToReceive } }

  /// The length of the request body, or `NSURLSessionTransferSizeUnknown`.
  public var countOfBytesExpectedToSend: Int64 { members.withLock { $0.counts.expectedToSend } }

  /// The caller's estimate of bytes to be received. Has no meaning on Linux: a hint for the scheduling of background sessions.
  public var countOfBytesClientExpectsToReceive: Int64 {
    get { members.withLock { $0.counts.clientExpectsToReceive } }
    set { members.withLock { $0.counts.clientExpectsToReceive = newValue } }
  }

  /// The caller's estimate of bytes to be sent. Has no meaning on Linux: a hint for the scheduling of background sessions.
  public var countOfBytesClientExpectsToSend: Int64 {
    get { members.withLock { $0.counts.clientExpectsToSend } }
    set { members.withLock { $0.counts.clientExpectsToSend = newValue } }
  }
}
