// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages

extension URLSessionTask {
  /// The source of a request's body.
  package enum Body: Sendable {
    /// The request's own body or stream, if any.
    case ofRequest
    case data(Data)
    case file(URL)
    /// The delegate is asked for a stream (`needNewBodyStream`).
    case streamed
    case produced(StreamedBody)
    /// There is none: the task is a download that goes on with an earlier one.
    case resumption(ResumedDownload)

    /// The start of a resumed download.
    var resumption: ResumedDownload? {
      if case .resumption(let earlier) = self { earlier } else { nil }
    }
  }

  /// The completion handler in place of the delegate.
  package enum Completion: Sendable {
    /// - Parameter isOurs: It is no code of the user's, and may be called in loop context.
    case data(URLSession.DataHandler, isOurs: Bool = false)
    /// - Parameter isOurs: It is no code of the user's. It may wait for the disk.
    case file(URLSession.FileHandler, isOurs: Bool = false)
    /// The body is read as it comes.
    case reader(BodyReader)
  }

  // Not copyable, so that it is made where it lies.
  struct Members: ~Copyable {
    var state = State.suspended
    /// A new task counts as suspended once. Below zero, so many of the next suspensions have been taken back already.
    var suspensions = 1
    var currentRequest: URLRequest?
    /// A redirect has led to another origin, even if another one has led back.
    var hasLeftOrigin = false
    var response: URLResponse?
    var error: (any Error)?
    var priority = URLSessionTask.defaultPriority
    var counts = ByteCounts()
    var completion: Completion?
    var delegate: (any URLSessionTaskDelegate)?
    /// Members that few tasks have; nil until one of them is set.
    private(set) var rareState: RareState?
    var driver: (any TaskDriver)?
    /// The listener of the task in place of the session's delegate.
    var listener: (any TaskListener)?

    /// Members that few tasks have, to be changed.
    var ownRareState: RareState {
      mutating get {
        if let rareState { return rareState }
        let made = RareState()
        rareState = made
        return made
      }
    }

    @inline(__always)
    init(currentRequest: URLRequest?, listener: (any TaskListener)?) {
      self.currentRequest = currentRequest
      self.listener = listener
    }
  }

  /// An object, so that tasks without it have nothing of it to let go of.
  final class RareState {
    var description: String?
    var earliestBeginDate: Date?
    var progress: Progress?
    var trailers: FieldBlock?
  }

  /// The bytes that a task has moved so far, and those it expects to move.
  package struct ByteCounts: Sendable, Equatable {
    package var received: Int64 = 0
    package var sent: Int64 = 0
    package var expectedToReceive: Int64 = NSURLSessionTransferSizeUnknown
    package var expectedToSend: Int64 = NSURLSessionTransferSizeUnknown
    package var clientExpectsToReceive: Int64 = NSURLSessionTransferSizeUnknown
    package var clientExpectsToSend: Int64 = NSURLSessionTransferSizeUnknown

    package init() {}
  }

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

  /// It completed without an error, and without what its caller waits for.
  var endedWithoutResponse: URLError {
    .loading(
      .badServerResponse, url: currentRequest?.url, method: currentRequest?.httpMethod, phase: .waiting,
      reason: "it ended without a response")
  }

  /// It was cancelled before it had a waiter.
  var cancelledEarly: URLError {
    .loading(
      .cancelled, url: currentRequest?.url, method: currentRequest?.httpMethod, phase: .cancelling, reason: ""
    )
  }
}
