// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// Stored responses of tasks go by their requests: the storages themselves know of no tasks.
extension HTTPCookieStorage {
  /// Stores cookies that a response to the task's current request has set, as the accept policy allows.
  public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
    setCookies(cookies, for: task.cookieURL, mainDocumentURL: task.currentRequest?.mainDocumentURL)
  }

  /// Hands over the cookies that a task's request carries.
  public func getCookiesFor(
    _ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
  ) {
    completionHandler(task.cookieURL.flatMap { cookies(for: $0) })
  }
}

extension URLSessionTask {
  /// The address for the cookies of the current request: that of the host which it names to the server.
  fileprivate var cookieURL: URL? {
    requestWithSessionFields.flatMap { $0.cookieURL(at: $0.headerFields["Host"]) }
  }
}
