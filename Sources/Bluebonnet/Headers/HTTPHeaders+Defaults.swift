// SPDX-License-Identifier: MIT
extension HTTPHeaders {
  /// The fields that each request of a default session has: `Accept-Encoding`, `User-Agent`, and `Accept-Language` where the
  /// environment names a language.
  public static let `default`: HTTPHeaders =
    PreferredLanguages.current.isEmpty
    ? [.defaultAcceptEncoding, .defaultUserAgent]
    : [.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent]
}
