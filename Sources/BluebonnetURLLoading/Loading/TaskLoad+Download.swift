import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  /// A piece of the body on its way to the file; a slow disk holds the wire back.
  func write(_ bytes: UnsafeRawBufferPointer, to file: DownloadFile) {
    let count = bytes.count
    state.incoming.undelivered.handed(count)
    if state.incoming.undelivered.isFull { hold(.backlog) }
    file.write(data(of: bytes)) { [self] failure in
      engine.loop.execute { [self] in
        // What comes after a write that failed has nowhere to go: a full disk ends the transfer, not just the file.
        if let failure { return stop(failure) }
        if state.incoming.undelivered.taken(count) { release(.backlog) }
      }
    }
    guard let task = state.task as? URLSessionDownloadTask, let listener else { return }
    let counts = task.byteCounts
    listener.executor.run { listener.task(task, didWrite: Int64(count), counts) }
  }

  /// Hands the file over; what the listener has not moved away is removed. Then goes on, in loop context.
  func handOver(_ file: DownloadFile, then go: @escaping @Sendable () -> Void) {
    guard let task = state.task as? URLSessionDownloadTask, let listener, let url = file.url else {
      return file.remove { [loop = engine.loop] in loop.execute(go) }
    }
    listener.executor.run { [loop = engine.loop] in
      listener.task(task, didFinishDownloadingTo: url) {
        file.remove { loop.execute(go) }
      }
    }
  }
}
