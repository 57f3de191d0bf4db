import BluebonnetFoundation

// What is kept for tasks goes by their requests: the storages themselves know of no tasks.
extension HTTPCookieStorage {
  /// Stores cookies that a response to the task's current request has set, as the accept policy allows.
  public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
    setCookies(cookies, for: task.currentRequest?.url, mainDocumentURL: task.currentRequest?.mainDocumentURL)
  }

  /// Hands over the cookies that a task's request carries.
  public func getCookiesFor(
    _ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
  ) {
    completionHandler(task.currentRequest?.url.flatMap { cookies(for: $0) })
  }
}

extension URLCache {
  /// Keeps a response for a task's current request, as ``storeCachedResponse(_:for:)-(_,URLRequest)`` does.
  public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
  }

  /// Hands over what is kept for a task.
  public func getCachedResponse(
    for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
  }

  /// Forgets what is kept for a task.
  public func removeCachedResponse(for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
  }
}
