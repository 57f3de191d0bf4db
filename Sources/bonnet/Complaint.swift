import Bluebonnet

/// A reason to end, with the code to end with.
struct Complaint: Error, Equatable {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Why a load failed.
  ///
  /// - Parameter hasHead: Whether the head of the response had come by then.
  init(_ error: any Error, hasHead: Bool) {
    guard let error = error as? URLError else {
      self.init(.receiveFailed, "\(error)")
      return
    }
    guard error.code != .timedOut || error.transportFailure != nil else {
      // All phases together took too long: which one was under way says little.
      self.init(
        .timedOut,
        "--max-time ran out \(hasHead ? "in the middle of the response" : "before the server answered")")
      return
    }
    self.init(
      ExitStatus(error, hasHead: hasHead),
      error.transportFailure?.description ?? error.userInfo[NSLocalizedDescriptionKey] as? String
        ?? error.localizedDescription)
  }
}
