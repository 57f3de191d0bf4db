import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// What a response leaves in the session's storages, before anything is decided by it: cookies, and stored responses that are not valid
/// any more.
struct ResponseStorages {
  let load: LoadDriver

  /// Keeps a response's cookies, and forgets what it makes invalid, before anything else is decided.
  func note(_ response: HTTPURLResponse) {
    let setsCookies = response.fields.contains(.setCookie)
    // The list is a file, not to be read in loop context: once in a process.
    let suffixQueue =
      setsCookies && load.engine.settings.httpCookieStorage != nil
        && HTTPCookieStorage.needsSuffixes(
          response.fields, mainDocumentURL: load.state.request.mainDocumentURL)
      ? PublicSuffixList.queue : nil
    guard load.engine.storageQueue != nil || suffixQueue != nil else {
      if setsCookies { keepCookies(of: response) }
      if load.state.request.httpMethod != "GET" {
        load.engine.settings.forgetWhatChanged(by: response, to: load.state.request)
      }
      return load.responsePassed()
    }
    let (request, settings) = (load.state.request, load.engine.settings)
    let cookieURL = load.engine.requestBuilder.cookieURL(of: request, load.prepared.credentials)
    let question = load.state.machine.ask(.storages)
    load.hold(.decision)
    load.consult(on: suffixQueue) {
      if suffixQueue != nil { _ = PublicSuffixList.inUse }
      settings.httpCookieStorage?.keepCookies(
        of: response, to: request, from: cookieURL, policy: settings.httpCookieAcceptPolicy,
        now: settings.eventLoop.loop.secondsSince1970)
      settings.forgetWhatChanged(by: response, to: request)
      return settings.copyLimit
    } then: { limit in
      guard load.take(question) else { return }
      load.state.incoming.copyLimit = limit
      load.responsePassed()
      load.releaseDecision()
    }
  }

  private func keepCookies(of response: HTTPURLResponse) {
    guard let storage = load.engine.settings.httpCookieStorage else { return }
    storage.keepCookies(
      of: response, to: load.state.request,
      from: load.engine.requestBuilder.cookieURL(of: load.state.request, load.prepared.credentials),
      policy: load.engine.settings.httpCookieAcceptPolicy, now: load.engine.loop.secondsSince1970)
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

extension URLSessionConfiguration.Values {
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
