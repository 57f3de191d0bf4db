// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

extension RedirectPolicy {
  /// The request that a redirect asks for. An obstacle counts only once the redirect is to be followed.
  package struct Proposal: Sendable, Equatable {
    /// Without a URL where `Location` names none.
    package let request: URLRequest
    /// Why the request cannot be sent as it is.
    let obstacle: URLError?
    /// Whether the obstacle holds for every address.
    let isFinal: Bool

    /// Why what the delegate chose cannot be sent; nil if it can.
    package func obstacle(to chosen: URLRequest) -> URLError? {
      isFinal || chosen.url == request.url ? obstacle : nil
    }
  }

  /// The request that a redirect of `request` asks for.
  package func proposal(for redirect: Redirect, to request: URLRequest) -> Proposal {
    let from = request.url
    var next = request
    next.url = redirect.target.flatMap { URL(string: $0) }
    if redirect.becomesGET { Self.dropContent(of: &next) }
    let target = Result { () throws(URLError) in
      guard let url = next.url else { throw Self.error(.redirectToNonExistentLocation, from, redirect.fault) }
      return try Self.target(url, from: from)
    }
    if !Self.staysAtOrigin(from: from, to: try? target.get()) { Self.dropSecrets(of: &next) }
    if redirect.exceedsLimit {
      let error = Self.error(.httpTooManyRedirects, from, "there were more than \(limit) (redirectLimit)")
      return Proposal(request: next, obstacle: error, isFinal: true)
    }
    guard case .failure(let obstacle) = target else {
      return Proposal(request: next, obstacle: nil, isFinal: false)
    }
    return Proposal(request: next, obstacle: obstacle, isFinal: false)
  }

  /// Whether both are of one origin (RFC 9110 §4.3.1). What cannot be told to be is not.
  static func staysAtOrigin(from: URL?, to: TargetURI?) -> Bool {
    guard let from, let to else { return false }
    return to.origin == (try? TargetURI.of(from).origin)
  }

  private static func target(_ url: URL, from: URL?) throws(URLError) -> TargetURI {
    let target: TargetURI
    do throws(URLError) {
      target = try TargetURI(url)
    } catch {
      throw Self.error(error.code, from, refusal(of: url))
    }
    // A WebSocket may be sent to http, as which it begins, but nothing else to a WebSocket.
    guard !target.isWebSocket || from.flatMap({ try? TargetURI.of($0) })?.isWebSocket == true else {
      throw Self.error(.unsupportedURL, from, refusal(of: url))
    }
    return target
  }

  private static func refusal(of url: URL) -> String {
    guard let scheme = url.scheme?.lowercased(), scheme != "http", scheme != "https" else {
      return "it leads to \(url.shown), which cannot be loaded"
    }
    return "it leads to \(url.shown), and the scheme \"\(scheme)\" is not supported"
  }

  private static func error(_ code: URLError.Code, _ url: URL?, _ reason: String) -> URLError {
    URLError.loading(code, url: url, phase: .redirecting, reason: reason)
  }

  private static func dropContent(of request: inout URLRequest) {
    request.httpMethod = "GET"
    request.httpBody = nil
    request.httpBodyStream = nil
    for name in contentFieldNames { request.setValue(nil, forHTTPHeaderField: name) }
    request.rawOptions = request.rawOptions?.withoutContent(contentFieldNames)
  }

  /// Credentials for one origin are not shown to another. `Host` is made anew from the address.
  private static func dropSecrets(of request: inout URLRequest) {
    for name in RequestCredentials.boundFieldNames { request.setValue(nil, forHTTPHeaderField: name) }
    request.rawOptions = request.rawOptions?.forAnotherOrigin
  }
}

extension RedirectPolicy.Redirect {
  fileprivate var fault: String {
    obstacle == .contradictoryLocations
      ? "there are several Location fields, which differ" : "its Location is not a URL"
  }
}
