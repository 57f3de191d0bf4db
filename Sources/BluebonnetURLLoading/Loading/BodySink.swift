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

  /// Takes what stays in memory.
  ///
  /// - Returns: false if the bytes go on from here.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .memory(var data):
      self = .delegate
      data.append(contentsOf: bytes)
      self = .memory(data)
    case .gathering(var data):
      self = .delegate
      data.append(contentsOf: bytes)
      self = .gathering(data)
    case .file, .delegate: return false
    }
    return true
  }
}
