// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSEngine {
  /// More than any server sends at once; beyond, the oldest go.
  private static let sessionLimit = 8

  /// The sessions that the server gave since the last call, oldest first, for a cache to keep. With TLS 1.3 they
  /// come behind the handshake, beside the first response, so ask when a response has ended.
  package func takeSessions() -> [TLSSession] {
    guard hasSessions else { return [] }
    hasSessions = false
    defer { receivedSessions = [] }
    return receivedSessions
  }

  /// Called by OpenSSL in the middle of a handshake or a read.
  func receive(session: OpaquePointer) {
    if receivedSessions.count == Self.sessionLimit { receivedSessions.removeFirst() }
    hasSessions = true
    receivedSessions.append(
      TLSSession(
        owning: session, host: host, context: context, trust: serverTrust,
        identity: wasResumed ? expectedIdentity : identity))
  }
}
