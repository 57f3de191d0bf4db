// SPDX-License-Identifier: MIT
import Bluebonnet

/// What the origin behind the servers says that reached it (`Tests/Servers/echo_server.py`).
struct Echo: Decodable {
  /// What the third message of NTLM said of itself.
  struct NTLM: Decodable {
    let user: String
    let version: Bool
    let versionInFirst: Bool
    let mic: Bool
  }

  let method: String
  let bytes: Int
  let sha256: String
  /// By their names in lower case.
  let fields: [String: [String]]
  let ntlm: NTLM?

  init(_ response: AFDataResponse<Data>) throws {
    self = try JSONDecoder().decode(Echo.self, from: response.data ?? Data())
  }

  /// The scheme of the credentials that reached the origin; nil if there were none.
  var scheme: String? { fields["authorization"]?.first?.split(separator: " ").first.map(String.init) }
}
