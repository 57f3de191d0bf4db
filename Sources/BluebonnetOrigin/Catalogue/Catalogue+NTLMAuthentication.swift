// SPDX-License-Identifier: MIT
extension Catalogue {
  /// `/ntlm-auth/:user/:password`: an echo to a connection over which NTLMv2 has proved the password.
  mutating func ntlmAuthentication(_ request: IncomingRequest, now: Int) -> Reply {
    let key = NTLMConnection(
      number: request.connection, user: request.path[1], password: request.path[2])
    var acceptor = acceptors[key] ?? NTLMAcceptor(user: key.user, password: key.password)
    defer { acceptors[key] = acceptor }
    let number = (0..<8).map { _ in UInt8.random(in: .min ... .max) }
    switch acceptor.receive(request.field("authorization"), number: number, now: now) {
    case .accept: return .json(request.echo)
    case .refuse(let challenge): return Reply.empty(401).adding("WWW-Authenticate", challenge)
    }
  }
}

/// A connection, and the side that authenticates over it.
struct NTLMConnection: Hashable {
  let number: Int
  let user: String
  let password: String
}
