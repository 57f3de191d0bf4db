import BluebonnetFoundation

/// Where the response's body goes.
enum BodySink {
  /// To the data delegate, piece by piece.
  case delegate
  /// Into memory, for a completion handler.
  case memory(Data)
  /// Into a temporary file.
  case file(DownloadFile)

  init(for task: URLSessionTask) {
    if task is URLSessionDownloadTask {
      self = .file(DownloadFile(of: task.originalRequest?.url))
    } else if task.completion != nil {
      self = .memory(Data())
    } else {
      self = .delegate
    }
  }
}
