// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetURLLoading

/// The pieces of a response's debug description.
enum ResponseText {
  /// Bodies above this many bytes are described by their size: a log is no place for megabytes.
  static let longestBody = 100_000

  static func describe(_ request: URLRequest) -> String {
    [
      "[Request]: \(line(of: request))", describe(request.headers),
      "[Request body]: \(describe(request.httpBody, headers: request.headers))",
    ].joined(separator: "\n")
  }

  /// Method and address, without the name and the password that may stand before the host.
  static func line(of request: URLRequest) -> String {
    "\(request.httpMethod ?? "GET") \(request.url?.shownWithQuery ?? "no URL")"
  }

  /// The same without the query, in which secrets stand: the name of a request in an error's words.
  static func name(of request: URLRequest) -> String {
    "\(request.httpMethod ?? "GET") \(request.url?.shown ?? "no URL")"
  }

  /// The result; what failed is told with its request, if it doesn't name that itself.
  static func summary<Value, Failure>(_ result: Result<Value, Failure>, of request: URLRequest?) -> String {
    guard case .failure(let error) = result, let request, (error as? AFError)?.isSessionTaskError != true
    else { return "\(result)" }
    let (text, name) = ("\(result)", "(\(name(of: request)))")
    // A decoding error does, behind its words.
    return text.contains(name) ? text : "\(text) \(name)"
  }

  static func describe(_ response: HTTPURLResponse?) -> String {
    guard let response else { return "[Response]: none" }
    return """
      [Response]: status \(response.statusCode)
      \(describe(response.headers))
      """
  }

  static func describe(_ metrics: URLSessionTaskMetrics?) -> String {
    metrics.map { "\($0.taskInterval.duration) s" } ?? "unknown"
  }

  static func describe(_ body: Data?, headers: HTTPHeaders) -> String {
    guard let body else { return "none" }
    let isText =
      headers["Content-Type"].map { type in
        ["text", "json", "xml", "x-www-form-urlencoded"].contains { type.contains($0) }
      } ?? false
    guard isText, body.count <= longestBody else { return "\(body.count) bytes" }
    return "\n" + indent(String(decoding: body, as: UTF8.self))
  }

  private static func describe(_ headers: HTTPHeaders) -> String {
    headers.isEmpty ? "  [Headers]: none" : "  [Headers]:\n" + indent(headers.sorted().redacted.description)
  }

  private static func indent(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "    " + $0 }
      .joined(separator: "\n")
  }
}

extension HTTPHeaders {
  /// Without the values that would let a reader of a log act as the user.
  fileprivate var redacted: HTTPHeaders {
    HTTPHeaders(
      map { field in
        HeaderFields.Field.isSecret(field.name) ? HTTPHeader(name: field.name, value: "<redacted>") : field
      })
  }
}
