import BluebonnetFoundation

extension URLSessionTask {
  /// Where the body of a request comes from.
  package enum Body: Sendable {
    /// The request's own body or stream, if any.
    case ofRequest
    case data(Data)
    case file(URL)
    /// The delegate is asked for a stream (`needNewBodyStream`).
    case streamed
    case produced(StreamedBody)
  }

  /// Who hears of the end instead of the delegate.
  package enum Completion: Sendable {
    case data(URLSession.DataHandler)
    case file(URLSession.FileHandler)
  }

  // Not copyable, so that it is made where it lies.
  struct Members: ~Copyable {
    var state = State.suspended
    /// A new task counts as suspended once. Below zero, so many of the next suspensions have been taken back already.
    var suspensions = 1
    var currentRequest: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var priority = URLSessionTask.defaultPriority
    var description: String?
    var counts = ByteCounts()
    var completion: Completion?
    var delegate: (any URLSessionTaskDelegate)?
    var earliestBeginDate: Date?
    var progress: Progress?
    var driver: (any TaskDriver)?
    /// Who hears of the task in place of the session's delegate.
    var listener: (any TaskListener)?

    @inline(__always)
    init(currentRequest: URLRequest?, listener: (any TaskListener)?) {
      self.currentRequest = currentRequest
      self.listener = listener
    }
  }

  /// What a task has moved so far, and what it expects to.
  package struct ByteCounts: Sendable, Equatable {
    package var received: Int64 = 0
    package var sent: Int64 = 0
    package var expectedToReceive: Int64 = NSURLSessionTransferSizeUnknown
    package var expectedToSend: Int64 = NSURLSessionTransferSizeUnknown
    package var clientExpectsToReceive: Int64 = NSURLSessionTransferSizeUnknown
    package var clientExpectsToSend: Int64 = NSURLSessionTransferSizeUnknown

    package init() {}
  }
}
