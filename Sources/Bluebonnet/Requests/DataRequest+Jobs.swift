// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetURLLoading

extension ResponseSlot {
  /// The response of a data request.
  @usableFromInline
  func response<Value>() -> AFDataResponse<Value> where Made == AFResult<Value>? {
    guard let made else { preconditionFailure("a job is handed out when it has been served") }
    return AFDataResponse(
      request: outcome?.request, response: outcome?.response, data: outcome?.data, metrics: outcome?.metrics,
      serializationDuration: serializationDuration, result: made)
  }
}

// @unchecked: see ResponseJob.
/// Hands out what arrived, as it is.
final class RawDataJob: ResponseSlot<AFResult<Data?>?>, @unchecked Sendable {
  init(delivery: Delivery<AFDataResponse<Data?>>) {
    super.init(empty: nil, delivery.route)
  }

  override func isQuick(for bodyCount: Int) -> Bool { true }

  override func serialize() -> RequestOutcome.Failure? {
    made = outcome?.error.map { .failure($0) } ?? .success(outcome?.data)
    // A handler that takes a body raw judges it alone: no retrier is asked.
    return nil
  }

  override func announce(to observer: CompositeEventMonitor, of request: Request) {
    if let request = request as? DataRequest { observer.request(request, didParseResponse: response()) }
  }
}

// @unchecked: see ResponseJob.
/// Runs one serializer.
final class SerializedDataJob<Serializer: DataResponseSerializerProtocol>:
  ResponseSlot<AFResult<Serializer.SerializedObject>?>, @unchecked Sendable
{
  private let serializer: Serializer
  private let isLibraryCode: Bool

  init(
    serializer: Serializer,
    delivery: Delivery<AFDataResponse<Serializer.SerializedObject>>, isLibraryCode: Bool? = nil
  ) {
    self.serializer = serializer
    // Stated by the caller: this cast costs more than all other steps here.
    self.isLibraryCode =
      isLibraryCode ?? (serializer as? any QuickSerializer)?.runsOnlyLibraryCode ?? false
    super.init(empty: nil, delivery.route)
  }

  override func isQuick(for bodyCount: Int) -> Bool { isLibraryCode && bodyCount < Self.inlineLimit }

  // The work is in a function of its own, so that a call of the specialized form makes no metadata for the other one.
  @specialized(where Serializer == DataResponseSerializer)
  override func serialize() -> RequestOutcome.Failure? { makeResponse() }

  @inline(never)
  private func makeResponse() -> RequestOutcome.Failure? {
    let start = MonotonicTime.now()
    defer { serializationDuration = start.secondsUntilNow }
    do {
      made = .success(
        try serializer.serialize(
          request: outcome?.request, response: outcome?.response, data: outcome?.data, error: outcome?.error))
      return nil
    } catch {
      let error = error.asResponseFailure
      made = .failure(error)
      return RequestOutcome.Failure(error)
    }
  }

  @specialized(where Serializer == DataResponseSerializer)
  override func announce(to observer: CompositeEventMonitor, of request: Request) {
    if let request = request as? DataRequest { observer.request(request, didParseResponse: response()) }
  }

  override func replaceError(with error: AFError) { made = .failure(error) }
}
