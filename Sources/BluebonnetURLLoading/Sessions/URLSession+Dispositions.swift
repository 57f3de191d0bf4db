// SPDX-License-Identifier: MIT
extension URLSession {
  /// The decision about a load after its response head. All but `.becomeStream` work; that one is refused, and the task
  /// fails with a ``RefusedSetting``.
  public enum ResponseDisposition: Int, Sendable, Hashable {
    /// The task fails with `URLError.cancelled`.
    case cancel = 0
    /// The task goes on, and its body is delivered in parts.
    case allow = 1
    /// The task goes on as a download, with its body in a file.
    case becomeDownload = 2
    /// Refused: the task fails with a ``RefusedSetting``.
    case becomeStream = 3
  }

  /// The decision about an authentication challenge.
  public enum AuthChallengeDisposition: Int, Sendable, Hashable {
    /// The credential is the answer; without one, the challenge is not answered.
    case useCredential = 0
    /// The answer is what it would be without a delegate: the session's anchors, or its credential storage.
    case performDefaultHandling = 1
    /// The task fails: with `URLError.userCancelledAuthentication`, or with `.cancelled` if a server's trust was asked
    /// about.
    case cancelAuthenticationChallenge = 2
    /// The challenge is not answered: the 401 is the response. A server's trust is refused: the task fails with
    /// `URLError.cancelled`.
    case rejectProtectionSpace = 3
  }

  /// The decision about a load that was put off.
  public enum DelayedRequestDisposition: Int, Sendable, Hashable {
    /// The request is sent as it is.
    case continueLoading = 0
    /// The request that comes with the answer is sent instead.
    case useNewRequest = 1
    /// The task fails with `URLError.cancelled`.
    case cancel = 2
  }
}
