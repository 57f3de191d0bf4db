// SPDX-License-Identifier: MIT
import Bluebonnet

/// A reason to end, with the code to end with.
struct CommandError: Error, Equatable, Sendable {
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
    var text = error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
    if error.code == .serverCertificateHasUnknownRoot {
      let option = error.transportFailure?.isOfProxy == true ? "--proxy-cacert" : "--cacert"
      text += " \(option) names a file of others to trust."
    }
    // Only the time for everything has a name of its own here.
    self.init(
      ExitStatus(error, hasHead: hasHead),
      error.code == .timedOut && error.transportFailure == nil
        ? text.replacing("(timeoutIntervalForResource)", with: "(--max-time)") : text)
  }
}
