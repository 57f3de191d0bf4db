// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetTLS

/// Marks of a session's trust in servers, and of its identities. Sessions that share a cache show a server's
/// response to those alone that trust the same, and have the same identity.
enum CacheTrust {
  /// The anchors, lists and identities of a session, as a text that outlives the process; nil for the system's anchors alone.
  ///
  /// Two that differ have different marks: parts of any length state it, and each part has a word of its own.
  static func mark(of settings: URLSessionConfiguration.Settings) -> String? {
    let own = [
      mark(of: settings.revocationLists), mark(of: settings.clientCredentials), anchors(of: settings),
    ].compactMap(\.self)
    return own.isEmpty ? nil : own.joined(separator: " ")
  }

  /// Last in a mark, since a path may hold anything.
  private static func anchors(of settings: URLSessionConfiguration.Settings) -> String? {
    if settings.trustAnchors == .system { return nil }
    return (settings.evaluatesOwnAnchorsStrictly ? "strict " : "") + mark(of: settings.trustAnchors)
  }

  private static func mark(of anchors: URLSessionConfiguration.TrustAnchors) -> String {
    switch anchors {
    case .system: "system"
    case .file(let path): "file " + path
    case .directory(let path): "directory " + path
    // In whichever order, too.
    case .certificates(let certificates):
      "certificates "
        + digest(certificates.map(\.certificate.der).sorted { $0.lexicographicallyPrecedes($1) })
    // Each is enough, in whichever order.
    case .several(let members): "several" + members.map { measured(mark(of: $0)) }.sorted().joined()
    }
  }

  /// A certificate that one list revokes is refused, whatever is in the others.
  private static func mark(of lists: RevocationListFiles) -> String? {
    if lists.paths.isEmpty, !lists.mustCoverChain { return nil }
    return (lists.mustCoverChain ? "covered" : "lists") + lists.paths.map(measured).sorted().joined()
  }

  /// A certificate stands for its key.
  private static func mark(of credentials: [String: URLCredential]) -> String? {
    if credentials.isEmpty { return nil }
    let parts = credentials.map { host, credential in
      measured(host) + measured(digest(credential.clientIdentity?.chain.map(\.der) ?? []))
    }
    return "shown" + parts.sorted().joined()
  }

  private static func measured(_ text: String) -> String { " \(text.utf8.count):\(text)" }

  private static func digest(_ encodings: [[UInt8]]) -> String {
    // Where a policy of the system forbids the function, no other session has such a mark.
    guard let digest = HashFunction.sha256.digest(encodings.flatMap { $0 }) else {
      return newEvaluatorMark()
    }
    return digest.map { String($0, radix: 16) }.joined(separator: ".")
  }

  /// The evaluator of a session, such as a delegate: what it lets in depends on code, of which nothing outlives the process.
  static func newEvaluatorMark() -> String { "evaluator \(StoredResponse.newID())" }
}
