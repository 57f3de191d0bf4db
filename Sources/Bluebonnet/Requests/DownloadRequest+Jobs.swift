import BluebonnetFoundation
import BluebonnetURLLoading

extension ResponseSlot {
  /// The response of a download.
  @usableFromInline
  func response<Value>() -> AFDownloadResponse<Value> where Made == AFDownloadResponse<Value>? {
    guard let made else { preconditionFailure("a job is handed out when it has been served") }
    return made
  }
}

// @unchecked: see ResponseJob.
/// Hands out the file, as it is.
final class RawDownloadJob: ResponseSlot<AFDownloadResponse<URL?>?>, @unchecked Sendable {
  // The request owns its jobs and outlives them.
  private unowned let request: DownloadRequest

  init(request: DownloadRequest, delivery: Delivery<AFDownloadResponse<URL?>>) {
    self.request = request
    super.init(empty: nil, delivery.route)
  }

  override func isQuick(for bodyCount: Int) -> Bool { true }

  override func serialize() -> RequestOutcome.Failure? {
    let result: Result<URL?, AFError> = outcome?.error.map { .failure($0) } ?? .success(request.fileURL)
    made = AFDownloadResponse(
      request: outcome?.request, response: outcome?.response, fileURL: request.fileURL,
      resumeData: request.resumeData, metrics: outcome?.metrics, serializationDuration: 0, result: result)
    // A handler that takes a body raw judges it alone: no retrier is asked.
    return nil
  }

  override func announce(to observer: CompositeEventMonitor, of request: Request) {
    if let made { observer.request(self.request, didParseResponse: made) }
  }
}

// @unchecked: see ResponseJob.
/// Runs one serializer over a file.
final class SerializedDownloadJob<Serializer: DownloadResponseSerializerProtocol>:
  ResponseSlot<AFDownloadResponse<Serializer.SerializedObject>?>, @unchecked Sendable
{
  // The request owns its jobs and outlives them.
  private unowned let request: DownloadRequest
  private let serializer: Serializer
  private let isLibraryCode: Bool

  init(
    request: DownloadRequest, serializer: Serializer,
    delivery: Delivery<AFDownloadResponse<Serializer.SerializedObject>>
  ) {
    self.request = request
    self.serializer = serializer
    isLibraryCode = serializer is URLResponseSerializer
    super.init(empty: nil, delivery.route)
  }

  override func isQuick(for bodyCount: Int) -> Bool { isLibraryCode }

  override func serialize() -> RequestOutcome.Failure? {
    let (result, duration) = measure {
      try serializer.serializeDownload(
        request: outcome?.request, response: outcome?.response, fileURL: request.fileURL,
        error: outcome?.error)
    }
    made = AFDownloadResponse(
      request: outcome?.request, response: outcome?.response, fileURL: request.fileURL,
      resumeData: request.resumeData, metrics: outcome?.metrics, serializationDuration: duration,
      result: result)
    if case .failure(let error) = result { return RequestOutcome.Failure(error) }
    return nil
  }

  override func announce(to observer: CompositeEventMonitor, of request: Request) {
    if let made { observer.request(self.request, didParseResponse: made) }
  }

  override func replaceError(with error: AFError) {
    guard let response = made else { return }
    made = AFDownloadResponse(
      request: response.request, response: response.response, fileURL: response.fileURL,
      resumeData: response.resumeData, metrics: response.metrics,
      serializationDuration: response.serializationDuration,
      result: .failure(error))
  }
}
