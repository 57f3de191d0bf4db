import Bluebonnet
import Synchronization

/// The cookies of a command: those of files, and those that servers set.
final class CookieKeeper: Sendable {
  private let storage: HTTPCookieStorage
  private let isOn: Bool

  /// - Parameter isOn: Cookies of responses are kept.
  init(isOn: Bool) {
    self.isOn = isOn
    storage = URLSessionConfiguration.ephemeral.httpCookieStorage ?? .shared
    storage.cookieAcceptPolicy = .always
  }

  /// What is sent to an address; nil for nothing.
  func header(for url: URL) -> String? {
    guard isOn, let cookies = storage.cookies(for: url), !cookies.isEmpty else { return nil }
    return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Keeps what a response sets.
  func take(_ fields: [(name: String, value: String)], from url: URL) {
    guard isOn else { return }
    for field in fields where field.name.lowercased() == "set-cookie" {
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.value], for: url)
      storage.setCookies(cookies, for: url, mainDocumentURL: nil)
    }
  }
}
