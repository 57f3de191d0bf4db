// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

/// Puts requests into their wire form, and refuses those that have none.
struct RequestBuilder: Sendable {
  private let userAgent: String?
  private let decodesContent: Bool
  private let timeouts: BluebonnetTransport.Timeouts
  private let nextHop: Route.NextHop

  init(_ configuration: HTTPClient.Configuration) throws(HTTPClientError) {
    userAgent = configuration.userAgent
    decodesContent = configuration.decodesContent
    timeouts = try BluebonnetTransport.Timeouts(configuration.timeouts)
    nextHop = configuration.unixSocketPath.map { .unixSocket(path: $0) } ?? .origin
    guard let userAgent else { return }
    do throws(HTTP1Error) {
      _ = try EncodedFields([("User-Agent", userAgent)])
    } catch {
      throw .invalidConfiguration("userAgent", error.rule.description)
    }
  }

  func make(_ hop: Hop) throws(HTTPClientError) -> ExchangeRequest {
    try RequestRules.check(hop)
    var encoder = RequestEncoder(capacity: 512)
    do throws(HTTP1Error) {
      try encoder.begin(method: hop.method, target: hop.target.path)
      try encoder.field("Host", hop.target.authority)
    } catch {
      throw .unsendable(error)
    }
    for field in hop.fields { try encoder.add(field.name, field.value) }
    if let authorization = hop.credentials.stated, hop.fields["Authorization"] == nil {
      try encoder.add("Authorization", authorization)
    }
    if hop.fields["Accept"] == nil { try encoder.add("Accept", "*/*") }
    if let userAgent, hop.fields["User-Agent"] == nil { try encoder.add("User-Agent", userAgent) }
    if decodesContent, hop.fields["Accept-Encoding"] == nil {
      // A part of coded content is nothing that could be decoded.
      try encoder.add("Accept-Encoding", hop.fields["Range"] == nil ? ContentCoding.offer : "identity")
    }
    if let (name, value) = Self.framing(of: hop) { try encoder.add(name, value) }
    encoder.end()
    var request = ExchangeRequest(
      route: Route(
        isSecure: hop.target.origin.isSecure, host: hop.target.origin.host, port: hop.target.origin.port,
        nextHop: nextHop),
      kind: RequestKind(method: hop.method), head: encoder.bytes, body: hop.body,
      expectsContinue: hop.fields["Expect"] != nil, isIdempotent: Method.isIdempotent(hop.method),
      timeouts: timeouts, decodesContent: decodesContent)
    request.resolvesFromRoot = hop.target.isRooted
    request.closesConnection = hop.fields.values("Connection").contains {
      $0.equalsIgnoringASCIICase("close")
    }
    return request
  }

  /// RFC 9110 §8.6: a method that usually has content says so when there is none.
  private static func framing(of hop: Hop) -> (String, String)? {
    switch hop.body {
    case .none: ["POST", "PUT", "PATCH"].contains(hop.method) ? ("Content-Length", "0") : nil
    case .source(let source):
      source.length.map { ("Content-Length", String($0)) } ?? ("Transfer-Encoding", "chunked")
    }
  }
}

extension RequestEncoder {
  fileprivate mutating func add(_ name: String, _ value: String) throws(HTTPClientError) {
    do throws(HTTP1Error) {
      try field(name, value)
    } catch {
      // The value may be a secret, and a faulty name would be as faulty in the error's text.
      let shown = String(decoding: name.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }, as: UTF8.self)
      throw HTTPClientError(
        .invalidField, "the field \"\(shown)\" must not be sent: \(error.rule) (\(error.rule.section))")
    }
  }
}

extension HTTPClientError {
  /// The error for a request line that cannot be sent.
  fileprivate static func unsendable(_ error: HTTP1Error) -> HTTPClientError {
    HTTPClientError(
      error.rule == .invalidMethod ? .invalidMethod : .invalidURL, "\(error.rule) (\(error.rule.section))")
  }
}
