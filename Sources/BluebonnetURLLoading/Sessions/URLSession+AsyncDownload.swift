// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

extension URLSession {
  /// Loads `request` into a file that belongs to the caller.
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await value(of: downloadTask(with: request), delegate)
  }

  /// Loads `url` into a file that belongs to the caller.
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url), delegate: delegate)
  }

  /// Goes on with a download, into a file that belongs to the caller.
  ///
  /// - Parameters:
  ///   - resumeData: As for ``downloadTask(withResumeData:)``.
  ///   - delegate: Hears of this task alone; `nil` by default.
  /// - Returns: The file and the response.
  /// - Throws: A `URLError`, with resume data in its `userInfo` if the download can be gone on with.
  public func download(
    resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await value(of: downloadTask(withResumeData: resumeData), delegate)
  }

  private func value(
    of task: URLSessionDownloadTask, _ delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (URL, URLResponse) {
    try await value(of: task, delegate) { continuation in task.awaited { continuation.resume(with: $0) } }
  }
}
