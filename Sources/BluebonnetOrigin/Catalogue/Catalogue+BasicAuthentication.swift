// SPDX-License-Identifier: MIT
import BluebonnetSemantics

extension Catalogue {
  /// `/basic-auth/:user/:password`, and the hidden one, which does not say what it wants.
  func basicAuthentication(_ request: IncomingRequest) -> Reply {
    let given = request.field("authorization").flatMap { field -> [UInt8]? in
      let parts = field.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "basic" else { return nil }
      return Base64.decode(parts[1].trimmingOptionalWhitespace)
    }
    if given == Array("\(request.path[1]):\(request.path[2])".utf8) { return .json(request.echo) }
    let refusal = Reply.empty(401)
    return request.path[0] == "hidden-basic-auth" ? refusal : refusal.adding("WWW-Authenticate", "Basic")
  }
}
