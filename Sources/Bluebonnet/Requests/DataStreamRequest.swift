// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import BluebonnetLocks

// @unchecked: see Request; adds immutable properties and a mutex.
/// A request that hands out its response's body part by part and keeps nothing of it.
public final class DataStreamRequest: Request, @unchecked Sendable {
  /// Takes each part of the body, and at last how the stream ended, on the queue that was passed with it. An error that it throws
  /// cancels the request.
  public typealias Handler<Success: Sendable, Failure: Error> =
    @Sendable (Stream<Success, Failure>) throws -> Void

  /// One event, and the means to stop the stream.
  public struct Stream<Success: Sendable, Failure: Error>: Sendable {
    /// A part of the body, or the end.
    public let event: Event<Success, Failure>
    /// Cancels the request that the event is from; may be kept and used later.
    public let token: CancellationToken
    /// Of a part.
    let receipt: ConsumptionToken?

    /// Cancels the request: nothing more is delivered but the end.
    public func cancel() {
      token.cancel()
    }
  }

  /// The argument of a stream handler.
  public enum Event<Success: Sendable, Failure: Error>: Sendable {
    /// A part of the body, cut where the network cut it; or the value made of it, or the reason why it could not be made.
    case stream(Result<Success, Failure>)
    /// The stream is over, well or not.
    case complete(Completion)
  }

  /// The end of a stream: the last event for a handler.
  public struct Completion: Sendable {
    /// The `URLRequest` of the last attempt; `nil` if none was made.
    public let request: URLRequest?
    /// The response of the last attempt; `nil` if its head did not arrive.
    public let response: HTTPURLResponse?
    /// The measurements of the last attempt; `nil` if none was made.
    public let metrics: URLSessionTaskMetrics?
    /// Why the stream failed; `nil` if the whole body was delivered.
    public let error: AFError?
  }

  /// Cancels a stream, from any thread and at any time.
  public struct CancellationToken: Sendable {
    weak let request: DataStreamRequest?

    /// Cancels the request, if it still exists.
    public func cancel() {
      request?.cancel()
    }
  }

  /// Makes the `URLRequest` of each attempt. Called on the session's `requestQueue` if its type is one of yours.
  public var convertible: any URLRequestConvertible { source.convertible }
  /// Whether a serializer's error cancels the request.
  public let automaticallyCancelOnStreamError: Bool

  let flow = Locked(StreamFlow())

  init(
    convertible: any URLRequestConvertible, automaticallyCancelOnStreamError: Bool, session: Session,
    shouldAutomaticallyResume: Bool?
  ) {
    self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
    super.init(
      source: .convertible(convertible), session: session,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  override func announceValidation(
    of request: URLRequest?, _ response: HTTPURLResponse, _ subject: Validator.Subject,
    _ result: ValidationResult
  ) {
    observer?.request(self, didValidateRequest: request, response: response, withResult: result)
  }

  override func didReceive(data: Data, of task: URLSessionTask, length: Int64) {
    let (consumers, rests) = flow.withLock { $0.begin(data.count) }
    // A body that arrives faster than it is consumed waits in the kernel, not in memory.
    if rests { holdBody(of: task) }
    for consume in consumers { consume(data, task) }
  }

  /// One consumer has been given one part.
  func didHandOver() {
    let waiting = flow.withLock { $0.handOver() }
    for action in waiting { action() }
  }

  /// One consumer has done with so many bytes.
  func didConsume(_ count: Int, of task: URLSessionTask) {
    // The task that rests is the newest attempt's, whichever the bytes came from.
    if flow.withLock({ $0.consume(count) }) { holdBody(of: self.task ?? task) }
  }

  /// Holds the body back as long as too much of it is in hand; `suspend()` is the caller's alone.
  private func holdBody(of task: URLSessionTask) {
    task.holdBody { self.flow.withLock { $0.isResting } }
  }

  /// Calls `action` when all parts that arrived have been consumed.
  func whenConsumed(_ action: @escaping @Sendable () -> Void) {
    if flow.withLock({ $0.wait(for: action) }) { return }
    action()
  }
}
