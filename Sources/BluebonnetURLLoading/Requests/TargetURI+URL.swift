// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetSemantics

extension TargetURI {
  /// Takes a URL apart; throws `.unsupportedURL` for a scheme that is not http or https, `.badURL` for the rest.
  package init(_ url: URL) throws(URLError) {
    do throws(InvalidTarget) {
      // `URL` has already refused or encoded characters that have no place in one.
      try self.init(url.absoluteString, canonicalHost: HostName.canonical)
    } catch {
      throw URLError.refusal(error.kind == .malformed ? .badURL : .unsupportedURL, url, error.description)
    }
  }

  private static let last = Locked<(text: String, target: TargetURI)?>(nil)

  /// Like `init(_:)`, but remembers the last answer: most loads ask the same place again.
  package static func of(_ url: URL) throws(URLError) -> TargetURI {
    let text = url.absoluteString
    if let known = last.withLock({ $0?.text == text ? $0?.target : nil }) { return known }
    let target = try TargetURI(url)
    last.withLock { $0 = (text, target) }
    return target
  }
}
