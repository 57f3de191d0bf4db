// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetURLLoading

/// The base URL of a session.
final class BaseAddress: Sendable {
  let url: URL

  init(_ url: URL) { self.url = url }

  /// - Returns: Nil where the result is no URL.
  /// - Throws: `URLError` if the base is of no use.
  func resolve(_ reference: String) throws -> URL? {
    let base = url.absoluteURL
    guard ["http", "https"].contains(base.scheme?.lowercased()), base.host?.isEmpty == false else {
      throw URLError.loading(
        .unsupportedURL, url: url, phase: .preparing,
        reason: "the session's base URL is no http or https URL with a host (Session.baseURL)", fault: .caller
      )
    }
    return Location.resolve(reference, against: base.absoluteString, inheritsFragment: false)
      .flatMap { URL(string: $0) }
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
