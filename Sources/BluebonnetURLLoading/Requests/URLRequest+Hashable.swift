// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLRequest: Hashable {
  /// Requests are equal if they would be loaded alike.
  public static func == (left: URLRequest, right: URLRequest) -> Bool {
    let a = left.storage
    let b = right.storage
    return a === b
      || a.url == b.url && a.method == b.method && a.fields == b.fields && a.body == b.body
        && a.bodyStream === b.bodyStream && a.rules == b.rules && a.target == b.target
        && (a.timeoutInterval ?? 60) == (b.timeoutInterval ?? 60)
  }

  /// Feeds the parts that differ most often.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.url)
    hasher.combine(storage.method)
  }
}

extension URLRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address, without the name and the password that may stand before its host.
  public var description: String { url?.shownWithQuery ?? "url: nil" }

  /// The same text as `description`.
  public var debugDescription: String { description }

  /// The members that people look for in a debugger.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": url as Any, "httpMethod": httpMethod as Any, "allHTTPHeaderFields": allHTTPHeaderFields as Any,
        "httpBody": httpBody as Any, "cachePolicy": cachePolicy, "timeoutInterval": timeoutInterval,
      ], displayStyle: .struct)
  }
}
