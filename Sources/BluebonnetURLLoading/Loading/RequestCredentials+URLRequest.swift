// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics

extension RequestCredentials {
  /// Goes on from one address to the next, and takes over its user information, out of its URL.
  ///
  /// - Returns: Whether the next one is another origin's.
  mutating func move(from old: URL?, to next: inout URLRequest) -> Bool {
    guard let url = next.url, let target = try? TargetURI.of(url) else { return false }
    let leaves = move(from: old.flatMap { try? TargetURI.of($0) }?.origin, to: target)
    if target.userInformation != nil { next.url = url.withoutUserInformation }
    return leaves
  }
}
