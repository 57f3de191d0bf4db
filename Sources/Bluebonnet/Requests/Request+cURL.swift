import BluebonnetFoundation
import BluebonnetURLLoading

extension Request: CustomStringConvertible {
  /// The method, the URL without its user information, and the status, as far as they are known.
  public var description: String {
    guard let request = performedRequests.last ?? lastRequest, let url = request.url,
      let method = request.httpMethod
    else { return "No request created yet." }
    let line = "\(method) \(url.withoutUserInformation.absoluteString)"
    return response.map { "\(line) (\($0.statusCode))" } ?? line
  }

  /// The request as a curl command, for pasting into a shell. It holds the request's credentials.
  ///
  /// - Returns: The command.
  public func cURLDescription() -> String {
    guard let request = lastRequest, let url = request.url, let host = url.host,
      let method = request.httpMethod
    else { return "$ curl command could not be created" }
    let configuration = delegate?.sessionConfiguration
    var parts = ["$ curl -v", "-X \(method)"]
    parts += credentials(for: url, host: host, in: configuration?.urlCredentialStorage)
      .compactMap { credential in
        // A credential of another kind, such as a certificate, is nothing to type.
        guard let user = credential.user, let password = credential.password else { return nil }
        return "-u \(user):\(password)"
      }
    if let configuration, configuration.httpShouldSetCookies,
      let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
    {
      parts.append("-b \"\(cookies.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))\"")
    }
    parts += fields(of: request, over: configuration).map { field in
      "-H \"\(field.name): \(field.value.escapingQuotes)\""
    }
    if let body = request.httpBody {
      let text = String(decoding: body, as: UTF8.self)
      parts.append("-d \"\(text.replacing("\\\"", with: "\\\\\"").escapingQuotes)\"")
    }
    parts.append("\"\(url.absoluteString)\"")
    return parts.joined(separator: " \\\n\t")
  }

  private func credentials(
    for url: URL, host: String, in storage: URLCredentialStorage?
  ) -> [URLCredential] {
    let space = URLProtectionSpace(
      host: host, port: url.port ?? 0, protocol: url.scheme, realm: host,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    if let known = storage?.credentials(for: space)?.values { return Array(known) }
    return credential.map { [$0] } ?? []
  }

  private func fields(of request: URLRequest, over configuration: URLSessionConfiguration?) -> HTTPHeaders {
    var fields = HTTPHeaders()
    for field in configuration?.headers ?? [:] where field.name != "Cookie" { fields.update(field) }
    for field in request.headers where field.name != "Cookie" { fields.update(field) }
    return fields
  }
}

extension String {
  fileprivate var escapingQuotes: String { replacing("\"", with: "\\\"") }

  /// Replaces byte by byte, without the string-processing library or Foundation: a quote ends a shell's
  /// string whatever combining mark follows it.
  fileprivate func replacing(_ pattern: String, with replacement: String) -> String {
    let pattern = Array(pattern.utf8)
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if rest.starts(with: pattern) {
        result += replacement.utf8
        rest.removeFirst(pattern.count)
      } else {
        result.append(byte)
        rest.removeFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
