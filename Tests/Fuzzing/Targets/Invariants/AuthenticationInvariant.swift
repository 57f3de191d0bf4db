// SPDX-License-Identifier: MIT

// Whatever a server says of authentication is answered or refused: with a field that says the same to whoever reads it, and
// with messages whose parts lie inside them.

@testable import BluebonnetAuthentication
@testable import BluebonnetHTTP1
@testable import BluebonnetSemantics

enum AuthenticationInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let bytes = Array(input[1...])
    return switch selector % 4 {
    case 0: challenges(Text.of(bytes))
    case 1: message(bytes)
    // No field that was received has a carriage return in it.
    case 2:
      play(
        bytes.filter { $0 != 0x0D }.split(separator: 0x0A, omittingEmptySubsequences: false).map {
          Text.of($0)
        })
    default: challenges(Text.of(Text.repeated(bytes[...], limit: 1 << 14)))
    }
  }

  private static func challenges(_ field: String) -> String? {
    for challenge in ChallengeList(field).challenges {
      let name = challenge.scheme
      if name.isEmpty || !name.utf8.allSatisfy(ByteClass.token.contains) || name != name.asciiLowercased {
        return "scheme \(name)"
      }
    }
    let offers = AuthenticationOffer.all(in: [FieldValue(field)], allowing: .all)
    for (first, second) in zip(offers, offers.dropFirst()) where first.strength < second.strength {
      return "\(second.scheme) behind \(first.scheme)"
    }
    for case let challenge? in offers.prefix(8).map(\.digest) {
      if let problem = problem(ofAnswerTo: challenge) { return problem }
    }
    return nil
  }

  /// Reading the answer gives what was challenged.
  private static func problem(ofAnswerTo challenge: DigestChallenge) -> String? {
    let request = AuthenticatedRequest(method: "GET", target: "/a?b=\"c\\", content: .bytes([1]))
    guard
      let answer = try? DigestAnswer(
        to: challenge, user: "u\"\\", password: "p", for: request, clientNonce: "c", count: 1)
    else { return "no answer" }
    let list = ChallengeList(answer.field)
    guard list.challenges.count == 1, let parameters = list.first("digest")?.parameters else {
      return "\(list.challenges.count) schemes in \(answer.field)"
    }
    let expected = [
      "realm": challenge.realm, "nonce": challenge.nonce, "uri": request.target, "opaque": challenge.opaque,
    ]
    for (name, value) in expected where parameters[name] != value { return "\(name) in \(answer.field)" }
    if !challenge.takesHashedNames, parameters["username"] != "u\"\\" { return "the name in \(answer.field)" }
    if answer.accepts(["rspauth": "x"]), challenge.protection == .request { return "anybody is believed" }
    return nil
  }

  private static func message(_ bytes: [UInt8]) -> String? {
    guard let challenge = NTLMChallenge(bytes) else { return nil }
    let size = challenge.attributes.reduce(0) { $0 + 4 + $1.value.count }
    if size > bytes.count { return "attributes of \(size) bytes in \(bytes.count)" }
    guard
      let answer = try? NTLMAnswer(
        to: challenge, opening: NTLMOpening.bytes, user: "D\\u", password: "p",
        nonce: [UInt8](repeating: 1, count: 8), now: 0)
    else { return size > 60_000 ? nil : "no answer" }
    for place in [12, 20, 28, 36, 44, 52] {
      let length = Int(answer.bytes[place]) | Int(answer.bytes[place + 1]) << 8
      let start = (0..<4).reduce(0) { $0 | Int(answer.bytes[place + 4 + $1]) << ($1 * 8) }
      if start < 72 || start + length > answer.bytes.count { return "field \(place) lies outside" }
    }
    return nil
  }

  /// Lines are responses to one request after the other: it comes to an end.
  private static func play(_ lines: [String]) -> String? {
    let place = WebOrigin(isSecure: false, host: "a.test", port: 80)
    var cache = AuthenticationCache()
    var number: UInt8 = 0
    let sources = AuthenticationSources(random: { [UInt8](repeating: 1, count: $0) }, now: { 0 })
    var machine = HTTPAuthentication(
      .origin, of: place, login: .password(user: "u", password: "p"), sources: sources)
    for line in lines.prefix(40) {
      number &+= 1
      let request = AuthenticatedRequest(method: "GET", target: "/\(number)", content: .bytes([1]))
      guard let proof = try? machine.proof(for: request, cache: &cache) else { return nil }
      if case .field(let value) = proof, value.bytes.contains(0x0A) || value.bytes.contains(0x0D) {
        return "a line end in \(value)"
      }
      let isFinal = line.utf8.first == UInt8(ascii: "=")
      let name = isFinal ? "Authentication-Info" : "WWW-Authenticate"
      let fields = FieldBlock([(name, isFinal ? String(line.dropFirst()) : line)])
      switch machine.received(status: isFinal ? 200 : 401, fields: fields, cache: &cache) {
      case .pass, .sendAgain: break
      case .ask(let offers): if offers.isEmpty { return "nothing to ask about" }
      case .fail: return nil
      }
    }
    return machine.failures > 1 ? "\(machine.failures) answers of one login were refused" : nil
  }
}
