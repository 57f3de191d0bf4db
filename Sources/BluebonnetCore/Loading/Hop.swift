// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetTransport

/// One request of a call: its first, or where a redirect has led.
struct Hop {
  var method: String
  /// As it was written or resolved.
  var url: String
  var target: TargetURI
  var fields: HTTPClient.Fields
  var body: RequestBody
  /// The credentials for its origin, and no other one.
  var credentials = RequestCredentials()

  /// - Throws: for a URL or a body that cannot be sent.
  init(_ request: HTTPClient.Request) throws(HTTPClientError) {
    method = request.method
    url = request.url
    target = try TargetURI(checking: request.url)
    fields = request.fields
    body = try RequestBody(request.body)
    credentials.take(from: target)
  }
}

extension Hop {
  /// The next request by a redirect.
  ///
  /// - Throws: if it leads nowhere.
  func following(_ redirect: RedirectPolicy.Redirect, status: Int) throws(HTTPClientError) -> Hop {
    guard let url = redirect.target else {
      let isContradictory = redirect.obstacle == .contradictoryLocations
      throw .leadsNowhere(
        status,
        isContradictory ? "several Location fields contradict each other" : "Location is no URI reference")
    }
    var next = self
    next.url = url
    do throws(HTTPClientError) {
      next.target = try TargetURI(checking: url)
    } catch {
      throw .leadsNowhere(status, error.reason)
    }
    if target.origin.isSecure, !next.target.origin.isSecure {
      throw .leadsNowhere(status, "it leads from https to http")
    }
    if redirect.becomesGET {
      next.method = "GET"
      next.body = .none
      next.fields.removeAll { name in
        RedirectPolicy.contentFieldNames.contains { $0.equalsIgnoringASCIICase(name) }
      }
    }
    if next.credentials.move(from: target.origin, to: next.target) {
      next.fields.removeAll { RequestCredentials.isBound($0) }
    }
    return next
  }
}

extension HTTPClientError {
  fileprivate static func leadsNowhere(_ status: Int, _ reason: String) -> HTTPClientError {
    HTTPClientError(
      .invalidRedirect, "the redirect \(status) is not followed: \(reason)", fault: .server,
      during: .redirecting)
  }
}

extension RequestBody {
  fileprivate init(_ body: HTTPClient.Body) throws(HTTPClientError) {
    switch body.content {
    case .none: self = .none
    case .bytes(let bytes): self = .source(BytesSource(bytes))
    case .stream(let pieces):
      if let length = pieces.length, length < 0 {
        throw HTTPClientError(.invalidBody, "the body's length is \(length)")
      }
      self = .source(PieceSource(pieces))
    }
  }
}
