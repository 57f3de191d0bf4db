// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// A setting that cannot be honoured here. A load that depends on one fails before anything is sent.
///
/// Found in a `URLError`'s `userInfo` under `NSUnderlyingErrorKey`, and as `URLError.refusedSetting`. The error's code
/// is `.unsupportedURL`, which no retry helps.
public struct RefusedSetting: Error, Sendable, Hashable, CustomStringConvertible {
  /// The member that was set or called, such as `URLSessionConfiguration.connectionProxyDictionary`.
  public let member: String
  /// Why the member cannot be honoured, in words.
  public let reason: String
  /// The advice, in words.
  public let remedy: String

  init(_ member: String, _ reason: String, instead remedy: String) {
    self.member = member
    self.reason = reason
    self.remedy = remedy
  }

  /// Member, reason and remedy as one sentence.
  public var description: String { "\(member) \(reason); \(remedy)" }

  /// The error of a load that depends on the setting.
  func error(for url: URL?, during phase: LoadingPhase = .preparing) -> URLError {
    .loading(.unsupportedURL, url: url, phase: phase, reason: description, cause: self)
  }
}

extension URLError {
  /// The setting for which a load was refused, if that is why it failed.
  public var refusedSetting: RefusedSetting? { errorUserInfo[NSUnderlyingErrorKey] as? RefusedSetting }
}
