// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request: CustomStringConvertible {
  /// The method, the URL without its user information, and the status, as far as they are known.
  public var description: String {
    guard let request = performedRequests.last ?? lastRequest, let url = request.url,
      let method = request.httpMethod
    else { return "No request created yet." }
    let line = "\(method) \(url.shownWithQuery)"
    return response.map { "\(line) (\($0.statusCode))" } ?? line
  }

  /// The request as a curl command, for pasting into a shell. It holds the request's credentials.
  ///
  /// Whatever a server or a user has put into the request, pasting the command runs curl and nothing else. A body that
  /// no shell can pass on, because it holds NUL, is named as a file that does not exist.
  ///
  /// - Returns: The command.
  public func cURLDescription() -> String {
    guard let request = lastRequest, let url = request.url, let host = url.host,
      let method = request.httpMethod
    else { return "$ curl command could not be created" }
    let configuration = session?.sessionConfiguration
    var parts = ["$ curl -v", "-X \(ShellWord.plain(method))"]
    parts += credentials(for: url, host: host, in: configuration?.urlCredentialStorage)
      .compactMap { credential in
        // A credential of another kind, such as a certificate, is nothing to type.
        guard let user = credential.user, let password = credential.password else { return nil }
        return "-u \(ShellWord.plain("\(user):\(password)"))"
      }
    if let configuration, configuration.httpShouldSetCookies,
      let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
    {
      parts.append("-b \(ShellWord(cookies.map { "\($0.name)=\($0.value)" }.joined(separator: ";")))")
    }
    // curl reads headers from a file that it is given with an at sign; none of ours can begin with one.
    for field in fields(of: request, over: configuration) where !field.name.hasPrefix("@") {
      // To curl a header with nothing after the colon is one to leave out.
      parts.append(
        "-H \(ShellWord(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"))")
    }
    if let body = request.httpBody { parts.append(Self.option(for: Array(body))) }
    // What curl would take for a pattern of many addresses.
    if url.absoluteString.utf8.contains(where: { "[]{}".utf8.contains($0) }) { parts.append("-g") }
    parts.append("\(ShellWord(url.absoluteString))")
    return parts.joined(separator: " \\\n\t")
  }

  private static func option(for body: [UInt8]) -> String {
    // An argument of a program ends at NUL.
    if body.contains(0) { return "--data-binary \"@body-of-\(body.count)-bytes\"" }
    // `-d` would send a file of that name.
    return body.first == UInt8(ascii: "@")
      ? "--data-raw \(ShellWord(bytes: body))" : "-d \(ShellWord(bytes: body))"
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
