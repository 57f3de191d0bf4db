// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// The session's storages that a response changes before anything is decided by it: cookies are kept, and stored responses forgotten
/// that are not valid any more.
struct ResponseStorages {
  let load: Load

  /// Notes a response and lets it pass: at once, or where a storage is the user's or a file has to be read first, when that is done.
  func note(_ response: HTTPURLResponse) {
    let (engine, request) = (load.engine, load.state.request)
    let setsCookies = response.fields.contains(.setCookie)
    // The list is a file, not to be read in loop context: once in a process.
    let suffixQueue =
      setsCookies && engine.settings.httpCookieStorage != nil
        && HTTPCookieStorage.needsSuffixes(response.fields, mainDocumentURL: request.mainDocumentURL)
      ? PublicSuffixList.queue : nil
    guard engine.storageQueue != nil || suffixQueue != nil else {
      if setsCookies, let storage = engine.settings.httpCookieStorage {
        storage.keepCookies(
          of: response, to: request, from: cookieURL, policy: engine.settings.httpCookieAcceptPolicy,
          now: engine.loop.secondsSince1970)
      }
      if request.httpMethod != "GET" { engine.settings.forgetWhatChanged(by: response, to: request) }
      return load.responsePassed()
    }
    let question = load.state.machine.ask(.storages)
    load.hold(.decision)
    load.consult(
      on: suffixQueue,
      { [settings = engine.settings, cookieURL] in
        if suffixQueue != nil { _ = PublicSuffixList.inUse }
        settings.httpCookieStorage?.keepCookies(
          of: response, to: request, from: cookieURL, policy: settings.httpCookieAcceptPolicy,
          now: settings.eventLoop.loop.secondsSince1970)
        settings.forgetWhatChanged(by: response, to: request)
        return settings.copyLimit
      }
    ) { [load] limit in
      guard load.take(question) else { return }
      load.state.incoming.copyLimit = limit
      load.responsePassed()
      load.releaseDecision()
    }
  }

  /// The URL that the cookies are from.
  private var cookieURL: URL? {
    load.engine.requestBuilder.cookieURL(of: load.state.request, load.prepared.credentials)
  }
}

extension HTTPCookieStorage {
  /// - Parameter policy: The session's own, if it has one.
  fileprivate func keepCookies(
    of response: HTTPURLResponse, to request: URLRequest, from url: URL?, policy: HTTPCookie.AcceptPolicy?,
    now: Double
  ) {
    guard response.fields.contains(.setCookie), request.httpShouldHandleCookies, let url else { return }
    store(
      setCookiesOf: response.fields, from: url, mainDocumentURL: request.mainDocumentURL, policy: policy,
      now: now)
  }
}

extension URLSessionConfiguration.Settings {
  /// Cookies or cached responses are kept by the user's own classes.
  var hasUserStorages: Bool {
    httpCookieStorage.map { type(of: $0) != HTTPCookieStorage.self } ?? false
      || urlCache.map { type(of: $0) != URLCache.self } ?? false
  }

  /// A cache takes nothing that is larger than a twentieth of it, so nothing larger is copied for it.
  var copyLimit: Int { (urlCache?.memoryCapacity ?? 0) / 20 }

  /// A method that may have changed the resource makes its stored responses invalid, also under the addresses that the
  /// response names if they are of the same origin (RFC 9111 §4.4).
  fileprivate func forgetWhatChanged(by response: HTTPURLResponse, to request: URLRequest) {
    guard let cache = urlCache, let url = request.url,
      CacheRules.invalidates(method: request.httpMethod ?? "GET", status: response.statusCode)
    else { return }
    cache.forget(url)
    guard let origin = try? TargetURI.of(url).origin else { return }
    for reference in [response.fields.first(.location), response.fields.first(.contentLocation)] {
      let resolved = reference.flatMap { Location.resolve($0, against: url.absoluteString) }
      guard let other = resolved.flatMap({ URL(string: $0) }), (try? TargetURI(other))?.origin == origin
      else { continue }
      cache.forget(other)
    }
  }
}
