// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetURLLoading

/// The base URL of a session.
final class BaseAddress: Sendable {
  let url: URL
  /// Nil for a base of no use.
  private let text: String?

  init(_ url: URL) {
    self.url = url
    let base = url.absoluteURL
    let isOfUse = ["http", "https"].contains(base.scheme?.lowercased()) && base.host?.isEmpty == false
    text = isOfUse ? base.absoluteString : nil
  }

  /// - Returns: Nil where the result is no URL.
  /// - Throws: `URLError` if the base is of no use.
  func resolve(_ reference: String) throws -> URL? {
    guard let text else {
      throw URLError.loading(
        .unsupportedURL, url: url, phase: .preparing,
        reason: "the session's base URL is no http or https URL with a host (Session.baseURL)", fault: .caller
      )
    }
    return Location.resolve(reference, against: text, inheritsFragment: false)
      .flatMap { try? $0.asURL() }
  }
}

/// An address that is relative to a base, unless it is absolute.
struct ResolvedAddress: URLConvertible {
  let base: BaseAddress
  let address: any URLConvertible

  func asURL() throws -> URL {
    let reference: String
    if let text = address as? String {
      // An empty text is no URL, but a reference to the base. A scheme makes the text a URL like any other.
      if Location.isAbsolute(text) { return try text.asURL() }
      reference = text
    } else {
      let url = try address.asURL().absoluteURL
      guard url.scheme == nil else { return url }
      reference = url.absoluteString
    }
    guard let url = try base.resolve(reference) else { throw AFError.invalidURL(url: address) }
    return url
  }
}
