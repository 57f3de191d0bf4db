import BluebonnetSemantics
import BluebonnetFoundation

/// URLs that are loaded without a network.
enum LocalSchemes {
  /// What loads the URL, if it is a local one.
  static func protocolClass(for url: URL?) -> URLProtocol.Type? {
    switch url?.scheme?.asciiLowercased {
    case "file": FileURLProtocol.self
    case "data": DataURLProtocol.self
    default: nil
    }
  }

  /// - Returns: why a request cannot be made of a local URL, which can only be read.
  static func refusal(of request: URLRequest) -> URLError? {
    let method = request.httpMethod ?? "GET"
    guard method == "GET" || method == "HEAD", request.httpBody == nil, request.httpBodyStream == nil else {
      return .loading(
        .unsupportedURL, url: request.url, phase: .preparing,
        reason:
          "\(request.url?.scheme ?? "this") URLs are read with GET, without a body; use FileManager to write")
    }
    return nil
  }
}
