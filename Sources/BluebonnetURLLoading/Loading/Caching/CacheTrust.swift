import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetTLS

/// Marks of those whose word is taken for servers. Sessions that share a cache show what came from a server to those alone that would
/// have taken the same word for it.
enum CacheTrust {
  /// The anchors of a session, as a text that outlives the process; nil for the system's.
  static func mark(of settings: URLSessionConfiguration.Values) -> String? {
    let rules = settings.evaluatesOwnAnchorsStrictly ? "strict " : ""
    switch settings.trustAnchors {
    case .system: return nil
    case .file(let path): return rules + "file " + path
    case .certificates(let certificates):
      let encodings = certificates.map(\.certificate.der).sorted { $0.lexicographicallyPrecedes($1) }
      // Where a policy of the system forbids the function, nobody else has such a mark.
      guard let digest = HashFunction.sha256.digest(encodings.flatMap { $0 }) else {
        return newEvaluatorMark()
      }
      return rules + "certificates " + digest.map { String($0, radix: 16) }.joined(separator: ".")
    }
  }

  /// The evaluator of a session, such as a delegate: what it lets in depends on code, of which nothing outlives the process.
  static func newEvaluatorMark() -> String { "evaluator \(StoredResponse.newID())" }
}
