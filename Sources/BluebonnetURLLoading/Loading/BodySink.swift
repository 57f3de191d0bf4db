// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// The destination of the response's body.
enum BodySink {
  /// To the data delegate, piece by piece.
  case delegate
  /// Into memory, to be handed to the data delegate as one piece.
  case gathering(Data)
  /// Into memory, for a completion handler.
  case memory(Data)
  /// To a reader at a pace of its own.
  case reader(BodyReader)
  /// Into a temporary file.
  case file(DownloadFile)

  /// - Parameter descriptors: The wait for the descriptor of a download's file.
  init(for task: URLSessionTask, waitingFor descriptors: @autoclosure () -> DescriptorWait) {
    if let task = task as? URLSessionDownloadTask {
      let file = DownloadFile(of: task.originalRequest?.url, waitingFor: descriptors())
      if task.takesDigest { file.takeDigest() }
      self = .file(file)
    } else {
      let delivery = task.delivery
      if delivery.completes {
        if case .reader(let reader)? = task.completion {
          self = .reader(reader)
        } else {
          self = .memory(Data())
        }
      } else {
        self = delivery.isIncremental ? .delegate : .gathering(Data())
      }
    }
  }

  /// Takes the first of what stays in memory as it is, without a copy.
  ///
  /// - Returns: false if it has to be copied, or goes on from here.
  mutating func take(_ piece: Data) -> Bool {
    switch self {
    case .memory(let data) where data.isEmpty: self = .memory(piece)
    case .gathering(let data) where data.isEmpty: self = .gathering(piece)
    case .memory, .gathering, .file, .delegate, .reader: return false
    }
    return true
  }

  /// Takes what stays in memory.
  ///
  /// - Parameter length: Bytes of the whole body, as far as that is known.
  /// - Returns: false if the bytes go on from here.
  mutating func append(_ bytes: UnsafeRawBufferPointer, of length: Int?) -> Bool {
    switch self {
    // Mostly all there is: made at once, which is half of what making room and filling it takes.
    case .memory(let data) where data.isEmpty && bytes.count == length: self = .memory(Data(bytes))
    case .memory(var data):
      if data.isEmpty { data.reserveCapacity(min(length ?? 0, 1 << 20)) }
      self = .delegate
      data.append(contentsOf: bytes)
      self = .memory(data)
    case .gathering(var data):
      self = .delegate
      data.append(contentsOf: bytes)
      self = .gathering(data)
    case .file, .delegate, .reader: return false
    }
    return true
  }

  /// The queue on which files are moved for waiting callers, though their delegate queue may be busy.
  private static let fileQueue = DispatchQueue(label: "bluebonnet.downloads")

  /// Hands what has come, or why it has not, to the completion handler of a task.
  ///
  /// - Parameter isNext: No delegate is still to hear anything that has to come before.
  func hand(
    to completion: URLSessionTask.Completion, _ response: URLResponse?, _ error: (any Error)?,
    on executor: CallbackExecutor, isNext: Bool
  ) {
    switch completion {
    case .data(let handler, let isOurs):
      let data: Data? = if error == nil, case .memory(let data) = self { data } else { nil }
      if isOurs, isNext { return handler(data, response, error) }
      executor.run { handler(data, response, error) }
    case .file(let handler, let isOurs):
      let executor = isOurs && isNext ? .queue(Self.fileQueue) : executor
      guard case .file(let file) = self else {
        return executor.run { handler(nil, response, error) }
      }
      executor.run {
        handler(error == nil ? file.url : nil, response, error)
        file.remove()
      }
    case .reader(let reader): reader.finish(error)
    }
  }
}
