import BluebonnetFoundation

/// Where the response's body goes.
enum BodySink {
  /// To the data delegate, piece by piece.
  case delegate
  /// Into memory, to be handed to the data delegate as one piece.
  case gathering(Data)
  /// Into memory, for a completion handler.
  case memory(Data)
  /// Into a temporary file.
  case file(DownloadFile)

  init(for task: URLSessionTask) {
    if task is URLSessionDownloadTask {
      self = .file(DownloadFile(of: task.originalRequest?.url))
    } else {
      let delivery = task.delivery
      self = delivery.completes ? .memory(Data()) : delivery.isIncremental ? .delegate : .gathering(Data())
    }
  }
}
