import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: see ResponseJob.
/// Hands out the file, as it is.
final class RawDownloadJob: ResponseJob, @unchecked Sendable {
  // The request owns its jobs and outlives them.
  private unowned let request: DownloadRequest
  private let delivery: Delivery<AFDownloadResponse<URL?>>
  private var box: ResponseBox<AFDownloadResponse<URL?>>?

  init(request: DownloadRequest, delivery: Delivery<AFDownloadResponse<URL?>>) {
    self.request = request
    self.delivery = delivery
  }

  override func isQuick(for bodyCount: Int) -> Bool { true }

  override func serialize() -> RequestOutcome.Failure? {
    let outcome = takenOutcome()
    let result: Result<URL?, AFError> = outcome.error.map { .failure($0) } ?? .success(request.fileURL)
    box = ResponseBox(
      AFDownloadResponse(
        request: outcome.request, response: outcome.response, fileURL: request.fileURL,
        resumeData: request.resumeData, metrics: outcome.metrics, serializationDuration: 0, result: result))
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
/// Runs one serializer over a file.
final class SerializedDownloadJob<Serializer: DownloadResponseSerializerProtocol>: ResponseJob,
  @unchecked Sendable
{
  // The request owns its jobs and outlives them.
  private unowned let request: DownloadRequest
  private let serializer: Serializer
  private let isLibraryCode: Bool
  private let delivery: Delivery<AFDownloadResponse<Serializer.SerializedObject>>
  private var box: ResponseBox<AFDownloadResponse<Serializer.SerializedObject>>?

  init(
    request: DownloadRequest, serializer: Serializer,
    delivery: Delivery<AFDownloadResponse<Serializer.SerializedObject>>
  ) {
    self.request = request
    self.serializer = serializer
    self.delivery = delivery
    isLibraryCode = serializer is URLResponseSerializer
  }

  override func isQuick(for bodyCount: Int) -> Bool { isLibraryCode }

  override func serialize() -> RequestOutcome.Failure? {
    let outcome = takenOutcome()
    let (result, duration) = measure {
      try serializer.serializeDownload(
        request: outcome.request, response: outcome.response, fileURL: request.fileURL, error: outcome.error)
    }
    box = ResponseBox(
      AFDownloadResponse(
        request: outcome.request, response: outcome.response, fileURL: request.fileURL,
        resumeData: request.resumeData, metrics: outcome.metrics, serializationDuration: duration,
        result: result))
    if case .failure(let error) = result { return RequestOutcome.Failure(error) }
    return nil
  }

  override func announce() {
    if let box { request.observer?.request(request, didParseResponse: box.response) }
  }

  override func replaceError(with error: AFError) {
    guard let response = box?.response else { return }
    box = ResponseBox(
      AFDownloadResponse(
        request: response.request, response: response.response, fileURL: response.fileURL,
        resumeData: response.resumeData, metrics: response.metrics,
        serializationDuration: response.serializationDuration,
        result: .failure(error)))
  }

  override var queue: DispatchQueue? { delivery.queue }

  override func deliver(then done: (@Sendable () -> Void)?) {
    delivery.send(box, of: self, then: done)
  }
}
