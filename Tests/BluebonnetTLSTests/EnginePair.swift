// SPDX-License-Identifier: MIT
import BluebonnetTLS

/// A client and a server wired to each other in memory, ciphertext moving in pieces of a given size.
final class EnginePair {
  let client: TLSEngine
  let server: TLSEngine
  let split: Int

  init(
    client: TLSContext, server: TLSContext, host: String? = "localhost", resuming session: TLSSession? = nil,
    as identity: TLSIdentity? = nil, split: Int = .max
  ) throws {
    self.client = try TLSEngine(context: client, host: host, resuming: session, as: identity)
    self.server = try TLSEngine(context: server)
    self.split = split
  }

  /// Runs both ends until both are done. On an error the alert is still delivered to the other end.
  ///
  /// - Parameter identity: What a client proves itself with that is asked and waits.
  func handshake(as identity: TLSIdentity? = nil) throws {
    var isDone = (client: client.isHandshakeComplete, server: server.isHandshakeComplete)
    var stalls = 0
    if !isDone.client { isDone.client = try client.handshake() == .handshakeComplete }
    while !(isDone.client && isDone.server) {
      let moved = client.output.count + server.output.count
      try move(from: client, to: server) {
        if !isDone.server { isDone.server = try server.handshake() == .handshakeComplete }
      }
      try move(from: server, to: client) {
        guard !isDone.client else { return }
        var step = try client.handshake()
        if step == .certificateRequested {
          try client.authenticate(with: identity)
          step = try client.handshake()
        }
        isDone.client = step == .handshakeComplete
      }
      stalls = moved == 0 ? stalls + 1 : 0
      if stalls > 2 { throw Stalled() }
    }
  }

  struct Stalled: Error {}

  /// Everything `sender` has to send, fed to `receiver` in pieces; `step` runs after each.
  func move(from sender: TLSEngine, to receiver: TLSEngine, _ step: () throws -> Void) rethrows {
    let bytes = Array(sender.output)
    sender.outputSent(bytes.count)
    for start in stride(from: 0, to: bytes.count, by: min(split, max(bytes.count, 1))) {
      let end = min(start + min(split, bytes.count), bytes.count)
      try bytes[start..<end].withUnsafeBytes { piece in
        receiver.feed(piece)
        defer { receiver.keepUnreadInput() }
        try step()
      }
    }
  }

  /// Moves what `sender` has to `receiver` and gives what that decrypts.
  func deliver(from sender: TLSEngine, to receiver: TLSEngine, buffer: Int = 20_000) throws -> [UInt8] {
    var plain: [UInt8] = []
    try move(from: sender, to: receiver) { plain += try receiver.drain(buffer: buffer).bytes }
    plain += try receiver.drain(buffer: buffer).bytes
    return plain
  }
}

extension TLSEngine {
  /// Reads until there is no more.
  func drain(buffer size: Int = 20_000) throws -> (bytes: [UInt8], isClosed: Bool) {
    var plain: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      switch try buffer.withUnsafeMutableBytes({ try read(into: $0) }) {
      case .bytes(let count): plain += buffer[..<count]
      case .closed: return (plain, true)
      case .needsInput, .handshakeComplete, .certificateRequested: return (plain, false)
      }
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }
}

/// One authority and one server certificate for all tests: generating keys is what takes time.
enum Shared {
  static let authority = Result { try CertificateAuthority() }
  static let identity = Result {
    try authority.get().issue(names: [.dns("localhost"), .dns("*.example.test"), .address("127.0.0.1")])
  }

  static func client(
    _ change: (inout TLSClientConfiguration) -> Void = { _ in }
  ) throws -> TLSContext {
    var configuration = TLSClientConfiguration(anchors: .certificates([try authority.get().certificate]))
    change(&configuration)
    return try TLSContext(client: configuration)
  }

  static func server(
    _ identity: TLSIdentity? = nil, _ change: (inout TLSServerConfiguration) -> Void = { _ in }
  ) throws -> TLSContext {
    var configuration = TLSServerConfiguration(identity: try identity ?? Self.identity.get())
    change(&configuration)
    return try TLSContext(server: configuration)
  }
}
