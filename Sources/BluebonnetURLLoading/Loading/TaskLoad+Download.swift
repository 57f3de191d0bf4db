import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  var downloadDelegate: (any URLSessionDownloadDelegate)? {
    task.delegate as? any URLSessionDownloadDelegate ?? engine.downloadDelegate
  }

  /// A piece of the body on its way to the file; a slow disk holds the wire back.
  func write(_ bytes: UnsafeRawBufferPointer, to file: DownloadFile) {
    let count = bytes.count
    undelivered.handed(count)
    if undelivered.isFull { hold(.backlog) }
    file.write(data(of: bytes)) { [self] failure in
      engine.loop.execute { [self] in
        // What comes after a write that failed has nowhere to go: a full disk ends the transfer, not just the file.
        if let failure { return stop(failure) }
        if undelivered.taken(count) { release(.backlog) }
      }
    }
    guard let task = task as? URLSessionDownloadTask, let delegate = downloadDelegate else { return }
    let (session, counts) = (task.session, task.byteCounts)
    engine.lane.run {
      delegate.urlSession(
        session, downloadTask: task, didWriteData: Int64(count), totalBytesWritten: counts.received,
        totalBytesExpectedToWrite: counts.expectedToReceive)
    }
  }

  /// Hands the file over; what the delegate has not moved away is removed.
  func handOver(_ file: DownloadFile) {
    guard let task = task as? URLSessionDownloadTask, let delegate = downloadDelegate, let url = file.url
    else { return file.remove() }
    let session = task.session
    engine.lane.run {
      delegate.urlSession(session, downloadTask: task, didFinishDownloadingTo: url)
      file.remove()
    }
  }

  /// Cancels; there is nothing to go on with yet, and the caller is told so.
  func cancel(producingResumeData completion: @escaping @Sendable (Data?) -> Void) {
    cancel()
    engine.lane.async { completion(nil) }
  }
}
