// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import Tracing

  extension Span {
    /// Sets the attributes of the request that is going to be sent.
    func describe(_ request: URLRequest) {
      updateAttributes { attributes in
        let method = request.httpMethod ?? "GET"
        let known = HTTPMethod.known(method)
        attributes["http.request.method"] = known ?? "_OTHER"
        if known == nil { attributes["http.request.method_original"] = method.escaped(limit: 100) }
        guard let url = request.url else { return }
        attributes["url.full"] = RedactedURL(url.absoluteString).short.escaped()
        attributes["server.address"] = url.host
        attributes["server.port"] = url.port ?? Self.defaultPort(of: url.scheme)
      }
    }

    private static func defaultPort(of scheme: String?) -> Int? {
      switch scheme?.lowercased() {
      case "http": 80
      case "https": 443
      default: nil
      }
    }
  }
#endif
