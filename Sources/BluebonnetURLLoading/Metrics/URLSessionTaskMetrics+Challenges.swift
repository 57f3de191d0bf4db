import BluebonnetMessages

extension URLSessionTaskMetrics {
  /// The authentication schemes that the last response demanded, and that the task did not satisfy: either none of them can
  /// is supported, or there was no credential, or it has been refused. Empty if the last response was no
  /// 401 or 407.
  public var unansweredAuthenticationSchemes: [String] {
    (transactionMetrics.last?.response as? HTTPURLResponse)?.demandedAuthenticationSchemes ?? []
  }
}
