// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation

/// A monitor that is interested in the ends of attempts: all events that tell of a failure go to its recorder.
public protocol AttemptMonitor: EventMonitor {
  /// The recorder of the monitor's own.
  var recorder: AttemptRecorder { get }
}

extension AttemptMonitor {
  /// Notes the failure for the end of the attempt.
  public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
    recorder.note(error, of: request)
  }

  /// Notes the failure for the end of the attempt.
  public func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
  ) {
    recorder.note(error, of: request)
  }

  /// Notes the failure for the end of the attempt.
  public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
    recorder.note(error, of: request)
  }

  /// Notes the failure for the end of the attempt.
  public func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
    recorder.note(error, of: request)
  }

  /// Notes the cancellation for the end of the attempt.
  public func requestDidCancel(_ request: Request) {
    recorder.note(.explicitlyCancelled, of: request)
  }

  /// Notes the validator's objection for the end of the attempt.
  public func request(
    _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    data: Data?, withResult result: Request.ValidationResult
  ) {
    recorder.note(result, of: request)
  }

  /// Notes the validator's objection for the end of the attempt.
  public func request(
    _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    withResult result: Request.ValidationResult
  ) {
    recorder.note(result, of: request)
  }

  /// Notes the validator's objection for the end of the attempt.
  public func request(
    _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
    fileURL: URL?, withResult result: Request.ValidationResult
  ) {
    recorder.note(result, of: request)
  }

  /// Notes the failure for the end of the attempt.
  public func request(
    _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
    with result: Result<URL, AFError>
  ) {
    if case .failure(let error) = result { recorder.note(error, of: request) }
  }
}
