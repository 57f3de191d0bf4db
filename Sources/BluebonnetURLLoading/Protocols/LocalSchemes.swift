// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// URLs that are loaded without a network.
enum LocalSchemes {
  /// The class that loads the URL, if it is a local one.
  static func protocolClass(for url: URL?) -> URLProtocol.Type? {
    switch url?.scheme?.asciiLowercased {
    case "file": FileURLProtocol.self
    case "data": DataURLProtocol.self
    default: nil
    }
  }
}

extension URLRequest {
  /// The reason why it cannot be made of a local URL: those can only be read; nil if it can.
  var localRefusal: URLError? {
    let method = httpMethod ?? "GET"
    guard method == "GET" || method == "HEAD", httpBody == nil, httpBodyStream == nil else {
      return .loading(
        .unsupportedURL, url: url, phase: .preparing,
        reason: "\(url?.scheme ?? "this") URLs are read with GET, without a body; use FileManager to write")
    }
    return nil
  }
}
