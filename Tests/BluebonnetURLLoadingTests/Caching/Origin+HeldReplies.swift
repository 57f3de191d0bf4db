// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import Testing

extension Origin {
  /// Answers a request that a script has met with silence, when the test wants it to be answered. The connection serves no other
  /// one afterwards.
  ///
  /// - Parameter number: That of the request, in the order of their arrival.
  func answer(
    _ number: Int, status: Int = 200, fields: [(name: String, value: String)] = [],
    body: some Collection<UInt8> = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let requests = requests
    let reply = ScriptedReply.response(
      status: status, fields: fields + [("Connection", "close")], body: body)
    guard number < requests.count, case .bytes(let bytes)? = reply.steps.first else {
      Issue.record("there is no such request", sourceLocation: sourceLocation)
      return
    }
    #expect(interject(bytes, on: requests[number].connection), sourceLocation: sourceLocation)
  }
}
