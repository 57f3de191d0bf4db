// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetOrigin

/// A mock's replies by request: a value.
struct MockRoutes {
  typealias Answer = @Sendable (MockRequest) async throws -> ScriptedReply

  /// The decision about a request.
  enum Verdict {
    case reply(ScriptedReply)
    case ask(Answer)
    /// Nothing is set for it.
    case none
  }

  private enum Target {
    case replies([ScriptedReply])
    case answer(Answer)
  }

  private struct Key: Hashable {
    let method: String?
    let address: String
  }

  private var targets: [Key: Target] = [:]
  private var fallback: Answer?

  mutating func set(_ address: String, _ method: HTTPMethod?, replies: [ScriptedReply]) {
    targets[Self.key(address, method)] = replies.isEmpty ? nil : .replies(replies)
  }

  mutating func set(_ address: String, _ method: HTTPMethod?, answer: @escaping Answer) {
    targets[Self.key(address, method)] = .answer(answer)
  }

  mutating func setFallback(_ answer: Answer?) { fallback = answer }

  /// Takes the next reply for a request: one for its query comes before one for its path, one for its address
  /// before that of a path of any host, and that of its method before that of any.
  mutating func next(for request: MockRequest) -> Verdict {
    for address in Self.spellings(of: request.url) {
      for method in [request.method.rawValue, nil] {
        let key = Key(method: method, address: address)
        switch targets[key] {
        case .replies(var replies):
          guard let reply = replies.first else { continue }
          // The last one stays.
          if replies.count > 1 {
            replies.removeFirst()
            targets[key] = .replies(replies)
          }
          return .reply(reply)
        case .answer(let answer): return .ask(answer)
        case nil: continue
        }
      }
    }
    return fallback.map(Verdict.ask) ?? .none
  }

  private static func key(_ address: String, _ method: HTTPMethod?) -> Key {
    let isPath = address.hasPrefix("/")
    let spelling = isPath ? address : URL(string: address).map { spellings(of: $0)[0] }
    return Key(method: method?.rawValue, address: spelling ?? address)
  }

  /// The address in the forms in which answers may be set for it, the most telling first.
  private static func spellings(of url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    let usual = scheme == "https" ? 443 : 80
    var authority = url.host(percentEncoded: true)?.lowercased() ?? ""
    if authority.contains(":"), !authority.hasPrefix("[") { authority = "[\(authority)]" }
    if let port = url.port, port != usual { authority += ":\(port)" }
    var path = url.path(percentEncoded: true)
    if path.isEmpty { path = "/" }
    let origin = "\(scheme)://\(authority)"
    guard let query = url.query(percentEncoded: true) else { return [origin + path, path] }
    return ["\(origin)\(path)?\(query)", "\(path)?\(query)", origin + path, path]
  }
}
