// SPDX-License-Identifier: MIT
import Bluebonnet

extension HTTPMethod {
  private static let known: Set<String> = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
  ]

  /// A method of a request, if it is a registered one: others may have any number of names.
  package static func known(_ method: String?) -> String? {
    method.flatMap { known.contains($0) ? $0 : nil }
  }
}
