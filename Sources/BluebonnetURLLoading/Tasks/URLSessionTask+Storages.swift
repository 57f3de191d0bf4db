// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// Stored responses of tasks go by their requests: the storages themselves know of no tasks.
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
