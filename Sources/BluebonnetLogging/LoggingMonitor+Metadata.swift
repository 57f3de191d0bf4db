// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import Logging

  extension LoggingMonitor {
    /// Fields with an address as their value.
    private static let addressFields: Set<String> = ["content-location", "location", "referer"]

    func metadata(of request: Request, _ sent: URLRequest?, attempt: Int) -> Logger.Metadata {
      var metadata = Self.address(of: sent)
      metadata["http.attempt"] = "\(attempt)"
      metadata["http.request_id"] = "\(request.id)"
      return metadata
    }

    static func address(of sent: URLRequest?) -> Logger.Metadata {
      var metadata: Logger.Metadata = [:]
      if let method = sent?.httpMethod { metadata["http.method"] = "\(method.escaped(limit: 100))" }
      if let url = sent?.url { metadata["http.url"] = shown(url) }
      return metadata
    }

    /// Adds the address that redirects have led to.
    static func add(_ finalURL: URL?, to metadata: inout Logger.Metadata) {
      if let finalURL { metadata["http.final_url"] = shown(finalURL) }
    }

    private static func shown(_ url: URL) -> Logger.MetadataValue {
      "\(RedactedURL(url.absoluteString).short.escaped())"
    }

    func addFields(of sent: URLRequest?, to metadata: inout Logger.Metadata) {
      add("request", to: &metadata) { sent?.value(forHTTPHeaderField: $0) }
    }

    func addFields(of response: HTTPURLResponse, to metadata: inout Logger.Metadata) {
      add("response", to: &metadata) { response.value(forHTTPHeaderField: $0) }
    }

    private func add(_ side: String, to metadata: inout Logger.Metadata, value: (String) -> String?) {
      for name in fields {
        guard let value = value(name) else { continue }
        let shown = Self.addressFields.contains(name) ? RedactedURL(value).short : value
        metadata["http.\(side).header.\(name)"] = "\(shown.escaped())"
      }
    }

    static func add(_ error: AFError, to metadata: inout Logger.Metadata) {
      metadata["error"] = "\(error.description.escaped(limit: 4_000))"
      metadata["error.kind"] = "\(error.kind)"
    }
  }
#endif
