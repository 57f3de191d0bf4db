// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

@testable import BluebonnetAuthentication

/// One request's authentication and what it shares, driven by hand.
struct Steps {
  var machine: HTTPAuthentication
  var cache: AuthenticationCache

  static let place = WebOrigin(isSecure: false, host: "a.test", port: 80)
  static let user = Login.password(user: "u", password: "p")
  /// Random numbers that are none, and a clock that stands.
  static let sources = AuthenticationSources(
    random: { [UInt8](repeating: 7, count: $0) }, now: { 1_800_000_000 })

  init(
    _ side: AuthenticationSide = .origin, login: Login? = Self.user, allowing: AuthenticationSchemes = .all,
    cache: AuthenticationCache = AuthenticationCache(), sources: AuthenticationSources = Self.sources
  ) {
    machine = HTTPAuthentication(side, of: Self.place, allowing: allowing, login: login, sources: sources)
    self.cache = cache
  }

  /// What goes out with the next request; "later" for what takes a while.
  mutating func proof(_ target: String = "/a/b", content: AuthenticatedRequest.Content = .none) throws
    -> String?
  {
    switch try machine.proof(
      for: AuthenticatedRequest(method: "GET", target: target, content: content), cache: &cache)
    {
    case .none: nil
    case .field(let value): value.text
    case .later: "later"
    }
  }

  /// What a response with these challenges means, in words.
  mutating func challenged(_ challenges: String...) -> String {
    received(
      machine.side.status,
      challenges.map { (machine.side == .origin ? "WWW-Authenticate" : "Proxy-Authenticate", $0) })
  }

  mutating func received(_ status: Int, _ fields: [(String, String)] = []) -> String {
    switch machine.received(status: status, fields: FieldBlock(fields), cache: &cache) {
    case .pass: "pass"
    case .sendAgain(let isSame): isSame ? "again, same connection" : "again"
    case .ask(let offers):
      "ask "
        + offers.map { "\($0.scheme)" + ($0.digest.map { " \($0.hash.rawValue)" } ?? "") }.joined(
          separator: ", ")
    case .fail(let fault): "fail \(fault.kind)"
    }
  }

  /// Another request that shares what is known.
  func next(login: Login? = nil, allowing: AuthenticationSchemes = .all) -> Steps {
    Steps(machine.side, login: login, allowing: allowing, cache: cache)
  }
}

extension String {
  /// A parameter of a credentials field.
  func parameter(_ name: String) -> String? {
    ChallengeList(self).challenges.first?.parameters[name]
  }
}
