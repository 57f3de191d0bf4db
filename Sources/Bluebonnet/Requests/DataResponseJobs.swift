import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: see ResponseJob.
/// Hands out what arrived, as it is.
final class RawDataJob: ResponseJob, @unchecked Sendable {
  // The request owns its jobs and outlives them.
  private unowned let request: DataRequest
  private let delivery: Delivery<AFDataResponse<Data?>>
  private var box: ResponseBox<AFDataResponse<Data?>>?

  init(request: DataRequest, delivery: Delivery<AFDataResponse<Data?>>) {
    self.request = request
    self.delivery = delivery
  }

  override func isQuick(for bodyCount: Int) -> Bool { true }

  override func serialize() -> RequestOutcome.Failure? {
    let outcome = takenOutcome()
    let result: Result<Data?, AFError> = outcome.error.map { .failure($0) } ?? .success(outcome.data)
    box = ResponseBox(
      AFDataResponse(
        request: outcome.request, response: outcome.response, data: outcome.data, metrics: outcome.metrics,
        serializationDuration: 0, result: result))
    // Whoever takes a body raw judges it alone: no retrier is asked.
    return nil
  }

  override func announce() {
    if let box { request.observer?.request(request, didParseResponse: box.response) }
  }

  override var queue: DispatchQueue? { delivery.queue }

  override func deliver(then done: (@Sendable () -> Void)?) {
    delivery.send(box, of: self, then: done)
  }
}

// @unchecked: see ResponseJob.
/// Runs one serializer.
final class SerializedDataJob<Serializer: DataResponseSerializerProtocol>: ResponseJob, @unchecked Sendable {
  // The request owns its jobs and outlives them.
  private unowned let request: DataRequest
  private let serializer: Serializer
  private let isLibraryCode: Bool
  private let delivery: Delivery<AFDataResponse<Serializer.SerializedObject>>
  @exclusivity(unchecked) private var box: ResponseBox<AFDataResponse<Serializer.SerializedObject>>?

  init(
    request: DataRequest, serializer: Serializer,
    delivery: Delivery<AFDataResponse<Serializer.SerializedObject>>, isLibraryCode: Bool? = nil
  ) {
    self.request = request
    self.serializer = serializer
    self.delivery = delivery
    // Who knows says so: this cast costs more than all else that is done here.
    self.isLibraryCode =
      isLibraryCode ?? (serializer as? any QuickSerializer)?.runsOnlyLibraryCode ?? false
  }

  override func isQuick(for bodyCount: Int) -> Bool { isLibraryCode && bodyCount < Self.inlineLimit }

  // The work is in a function of its own, so that a call of the specialized form makes no metadata for the other one.
  @specialized(where Serializer == DataResponseSerializer)
  override func serialize() -> RequestOutcome.Failure? { makeResponse() }

  @inline(never)
  private func makeResponse() -> RequestOutcome.Failure? {
    let outcome = takenOutcome()
    let (result, duration) = measure {
      try serializer.serialize(
        request: outcome.request, response: outcome.response, data: outcome.data, error: outcome.error)
    }
    box = ResponseBox(
      AFDataResponse(
        request: outcome.request, response: outcome.response, data: outcome.data, metrics: outcome.metrics,
        serializationDuration: duration, result: result))
    if case .failure(let error) = result { return RequestOutcome.Failure(error) }
    return nil
  }

  @specialized(where Serializer == DataResponseSerializer)
  override func announce() {
    if let box { request.observer?.request(request, didParseResponse: box.response) }
  }

  override func replaceError(with error: AFError) {
    guard let response = box?.response else { return }
    box = ResponseBox(
      AFDataResponse(
        request: response.request, response: response.response, data: response.data,
        metrics: response.metrics, serializationDuration: response.serializationDuration,
        result: .failure(error)))
  }

  override var queue: DispatchQueue? { delivery.queue }

  @specialized(where Serializer == DataResponseSerializer)
  override func deliver(then done: (@Sendable () -> Void)?) {
    delivery.send(box, of: self, then: done)
  }
}
