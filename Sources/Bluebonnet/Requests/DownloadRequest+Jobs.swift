// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: see ResponseJob.
/// One response handler of a download.
class DownloadJob<Value: Sendable>: ResponseSlot<AFResult<Value>?>, @unchecked Sendable {
  // The request owns its jobs and outlives them.
  fileprivate unowned let request: DownloadRequest
  /// What there was when the response was made.
  private var file: (url: URL?, resumeData: Data?)

  init(request: DownloadRequest, delivery: Delivery<AFDownloadResponse<Value>>) {
    self.request = request
    super.init(empty: nil, delivery.route)
  }

  fileprivate final func make(_ result: AFResult<Value>) {
    file = (request.fileURL, request.resumeData)
    made = result
  }

  final var downloadResponse: AFDownloadResponse<Value> {
    guard let made else { preconditionFailure("a job is handed out when it has been served") }
    return AFDownloadResponse(
      request: outcome?.request, response: outcome?.response, fileURL: file.url, resumeData: file.resumeData,
      metrics: outcome?.metrics, serializationDuration: serializationDuration, result: made)
  }

  override func announce(to observer: CompositeEventMonitor, of _: Request) {
    observer.request(request, didParseResponse: downloadResponse)
  }

  override func replaceError(with error: AFError) { made = .failure(error) }
}

// @unchecked: see ResponseJob.
/// Hands out the file, as it is.
final class RawDownloadJob: DownloadJob<URL?>, @unchecked Sendable {
  override func isQuick(for bodyCount: Int) -> Bool { true }

  override func serialize() -> RequestOutcome.Failure? {
    make(outcome?.error.map { .failure($0) } ?? .success(request.fileURL))
    // A handler that takes a body raw judges it alone: no retrier is asked.
    return nil
  }

  // Not the inherited one: monitors are told of responses without a serializer by a method of their own.
  override func announce(to observer: CompositeEventMonitor, of _: Request) {
    observer.request(request, didParseResponse: downloadResponse)
  }
}

// @unchecked: see ResponseJob.
/// Runs one serializer over a file.
final class SerializedDownloadJob<Serializer: DownloadResponseSerializerProtocol>:
  DownloadJob<Serializer.SerializedObject>, @unchecked Sendable
{
  private let serializer: Serializer
  private let isLibraryCode: Bool

  init(
    request: DownloadRequest, serializer: Serializer,
    delivery: Delivery<AFDownloadResponse<Serializer.SerializedObject>>
  ) {
    self.serializer = serializer
    isLibraryCode = serializer is URLResponseSerializer
    super.init(request: request, delivery: delivery)
  }

  override func isQuick(for bodyCount: Int) -> Bool { isLibraryCode }

  override func serialize() -> RequestOutcome.Failure? {
    let start = MonotonicTime.now()
    defer { serializationDuration = start.secondsUntilNow }
    do {
      make(
        .success(
          try serializer.serializeDownload(
            request: outcome?.request, response: outcome?.response, fileURL: request.fileURL,
            error: outcome?.error)))
      return nil
    } catch {
      let error = error.asResponseFailure
      make(.failure(error))
      return RequestOutcome.Failure(error)
    }
  }
}
