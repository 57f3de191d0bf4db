// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// A session with which a client resumes a connection with a short handshake.
///
/// Belongs to the context and the host it was made for: an engine of another ignores it.
package final class TLSSession: Sendable {
  // Safe: an SSL_SESSION is reference-counted atomically, and a finished one is only read, but for OpenSSL's own mark that it is
  // not to be resumed.
  nonisolated(unsafe) let pointer: OpaquePointer
  let host: String?
  /// Identity of the context, which stays alive so that no other can be mistaken for it.
  let context: TLSContext
  /// The trust in the server established when its chain was last seen.
  let trust: ServerTrust?
  /// The client's identity in the session; nil for none.
  let identity: TLSIdentity?
  /// Its approximate size in memory: the ticket, the secret, the peer's certificates as sent and as parsed, and the rest of
  /// the handshake's data.
  let byteCount: Int

  /// The time it was received, in seconds since 1970: OpenSSL's own functions for it differ between 3.0 and 3.5.
  private let receipt = Int64(time(nil))

  /// Takes over one reference.
  init(
    owning pointer: OpaquePointer, host: String?, context: TLSContext, trust: ServerTrust?,
    identity: TLSIdentity?
  ) {
    self.pointer = pointer
    self.host = host
    self.context = context
    self.trust = trust
    self.identity = identity
    byteCount = Int(max(i2d_SSL_SESSION(pointer, nil), 0)) + (trust?.byteCount ?? 0) + 512
  }

  deinit {
    SSL_SESSION_free(pointer)
  }

  /// Whether it is still worth offering: not used up, not timed out, and neither a certificate in the chain nor a stapled
  /// response that it promises has expired since it was evaluated.
  package var isUsable: Bool {
    guard SSL_SESSION_is_resumable(pointer) == 1 else { return false }
    let now = Int64(time(nil))
    guard now < receipt + Int64(SSL_SESSION_get_timeout(pointer)) else { return false }
    guard let trust, trust.failure == nil, let verified = trust.verified else { return true }
    // A resumed session brings no staple, so that a promised one has to hold still (RFC 7633).
    guard verified.allSatisfy({ now < $0.notAfter }),
      !StapledResponse.isPromised(by: verified) || trust.stapled.failure(about: verified, at: now) == nil
    else { return false }
    // Lists have a last day, too.
    guard trust.store.usesLists else { return true }
    if case .failure = trust.evaluate(host: trust.host) { return false }
    return true
  }

  /// A TLS 1.3 ticket should be offered once only, lest connections can be linked (RFC 8446 §C.4).
  var isSingleUse: Bool { SSL_SESSION_get_protocol_version(pointer) >= TLS1_3_VERSION }
}
