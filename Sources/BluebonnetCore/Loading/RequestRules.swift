// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

/// Requests that are refused, beside those without a form on the wire.
enum RequestRules {
  /// Fields that are the client's own: where the request goes, how its body is framed, and what the connection is used for.
  private static let ownFields = [
    "Host", "Content-Length", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Keep-Alive",
    "Proxy-Connection",
    "Proxy-Authorization",
  ]

  static func check(_ hop: Hop) throws(HTTPClientError) {
    if RequestKind(method: hop.method) == .connect {
      throw HTTPClientError(.invalidMethod, "this client opens no tunnels (CONNECT)")
    }
    if hop.method == "TRACE", case .source = hop.body {
      throw HTTPClientError(.invalidBody, "a TRACE has no content (RFC 9110 §9.3.8)")
    }
    if hop.method == "TRACE",
      hop.credentials.stated != nil || hop.fields.contains(where: { RequestCredentials.isBound($0.name) })
    {
      throw HTTPClientError(
        .invalidField, "a TRACE shows no credentials, which it would come back with (RFC 9110 §9.3.8)")
    }
    for field in hop.fields { try check(field, of: hop) }
  }

  private static func check(_ field: HTTPClient.Fields.Field, of hop: Hop) throws(HTTPClientError) {
    if let name = ownFields.first(where: { $0.equalsIgnoringASCIICase(field.name) }) {
      throw HTTPClientError(.invalidField, "the field \"\(name)\" is the client's own")
    }
    if field.name.equalsIgnoringASCIICase("Connection"),
      !["close", "keep-alive"].contains(where: { $0.equalsIgnoringASCIICase(field.value) })
    {
      throw HTTPClientError(
        .invalidField, "of the field \"Connection\", \"close\" and \"keep-alive\" are supported")
    }
    guard field.name.equalsIgnoringASCIICase("Expect") else { return }
    guard field.value.equalsIgnoringASCIICase("100-continue"), case .source(let source) = hop.body,
      source.length != 0
    else {
      throw HTTPClientError(
        .invalidField,
        "of the field \"Expect\", \"100-continue\" is supported, with a body (RFC 9110 §10.1.1)")
    }
  }
}
