import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTransport

extension URLError {
  /// An error of the loading system, with the address it happened at and a sentence for people.
  init(_ code: URLError.Code, failing url: URL?, saying text: String, underlying: (any Error)? = nil) {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    if let url {
      info[NSURLErrorFailingURLErrorKey] = url
      info[NSURLErrorFailingURLStringErrorKey] = url.absoluteString
    }
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    self.init(code, userInfo: info)
  }

  /// What became of an exchange, in the loading system's words. The phase and the cause stay inside
  /// as a `TransportFailure`.
  init(_ error: TransportError, url: URL?) {
    let failure = TransportFailure(error)
    self.init(failure.code, failing: url, saying: error.description, underlying: failure)
  }

  init(refusing error: HTTP1Error, url: URL) {
    self.init(
      TransportError(.invalidRequest(error), during: .sending), url: url)
  }
}
