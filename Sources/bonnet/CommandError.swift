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

  /// The setting for `--proxy-header`.
  static let proxyFields = "URLSessionConfiguration.Proxy.additionalHeaders"

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
    // The names of settings are those of the options.
    if error.code == .timedOut, error.transportFailure == nil {
      text = text.replacing("(timeoutIntervalForResource)", with: "(--max-time)")
    } else if error.refusedSetting?.member == Self.proxyFields {
      text = text.replacing(Self.proxyFields, with: "a field of --proxy-header")
    }
    self.init(ExitStatus(error, hasHead: hasHead), text)
  }
}
