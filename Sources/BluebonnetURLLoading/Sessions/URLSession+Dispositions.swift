extension URLSession {
  /// What to do with a load after its response head. All but `.becomeStream` work; that one is refused, and the task
  /// fails with a ``RefusedSetting``.
  public enum ResponseDisposition: Int, Sendable, Hashable {
    case cancel = 0
    case allow = 1
    case becomeDownload = 2
    case becomeStream = 3
  }

  /// What to do about an authentication challenge.
  public enum AuthChallengeDisposition: Int, Sendable, Hashable {
    case useCredential = 0
    case performDefaultHandling = 1
    case cancelAuthenticationChallenge = 2
    case rejectProtectionSpace = 3
  }

  /// What to do with a load that was put off.
  public enum DelayedRequestDisposition: Int, Sendable, Hashable {
    case continueLoading = 0
    case useNewRequest = 1
    case cancel = 2
  }
}
