// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Glibc

@testable import BluebonnetTLS

/// The server's end of a TLS connection over a blocking descriptor.
final class SecurePeer {
  let engine: TLSEngine
  private let descriptor: Int32

  init(_ identity: TLSIdentity, version: TLSVersion = .tls13, over descriptor: Int32) throws {
    var configuration = TLSServerConfiguration(identity: identity)
    configuration.maximumVersion = version
    engine = try TLSEngine(context: try TLSContext(server: configuration))
    self.descriptor = descriptor
    while try engine.handshake() != .handshakeComplete {
      sendAll()
      guard receive() else { return }
    }
    sendAll()
  }

  /// Sends what the engine has made; false if it did not all go out.
  @discardableResult
  func sendAll() -> Bool {
    while !engine.output.isEmpty {
      let count = send(descriptor, engine.output.baseAddress, engine.output.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return false }
      engine.outputSent(count)
    }
    return true
  }

  /// Receives once and feeds the engine; false at the end.
  func receive() -> Bool {
    var page = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &page, page.count, 0)
    guard count > 0 else { return false }
    page[..<count].withUnsafeBytes {
      engine.feed($0)
      engine.keepUnreadInput()
    }
    return true
  }

  /// Receives until there is plaintext, and drops it.
  func receiveRequest() throws {
    var page = [UInt8](repeating: 0, count: 16_384)
    while true {
      if case .bytes = try page.withUnsafeMutableBytes({ try engine.read(into: $0) }) { return }
      guard receive() else { return }
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try engine.write($0) }
  }

  /// Asks the client for another handshake, which TLS 1.2 allows.
  func renegotiate() {
    // SSL_OP_NO_RENEGOTIATION
    SSL_clear_options(engine.ssl, 1 << 30)
    SSL_renegotiate(engine.ssl)
    SSL_do_handshake(engine.ssl)
  }
}
