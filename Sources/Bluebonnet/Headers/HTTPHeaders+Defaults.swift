extension HTTPHeaders {
  /// The fields every request of a default session carries: `Accept-Encoding`, `Accept-Language` and
  /// `User-Agent`.
  public static let `default`: HTTPHeaders = [
    .defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent,
  ]
}
