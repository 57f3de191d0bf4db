// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport

/// A TLS connection over a blocking socket.
final class TLSClient {
  private let socket: RawSocket
  private let engine: TLSEngine
  private var plaintext: [UInt8] = []

  init(_ origin: Origin, host: String, authority: String? = nil) throws {
    let anchor = try Certificate(pem: authority ?? origin.authority ?? "")
    let context = try TLSContext(client: TLSClientConfiguration(anchors: .certificates([anchor])))
    socket = try RawSocket(port: origin.port)
    engine = try TLSEngine(context: context, host: host)
    while try engine.handshake() != .handshakeComplete {
      try flush()
      guard try feed() else { throw RawSocket.Failure(call: "handshake") }
    }
    try flush()
  }

  var version: TLSVersion? { engine.version }

  func send(_ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { try engine.write($0) }
    try flush()
  }

  /// Everything up to the close_notify. An end without one throws.
  func receiveAll() throws -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 65_536)
    while true {
      switch try page.withUnsafeMutableBytes({ try engine.read(into: $0) }) {
      case .bytes(let count): plaintext += page[..<count]
      case .closed: return plaintext
      case .needsInput, .handshakeComplete, .certificateRequested:
        if try !feed() { engine.endOfInput() }
      }
    }
  }

  private func feed() throws -> Bool {
    if socket.receive() != nil { return false }
    socket.pending.withUnsafeBytes {
      engine.feed($0)
      engine.keepUnreadInput()
    }
    socket.pending = []
    return true
  }

  private func flush() throws {
    try socket.send(Array(engine.output))
    engine.outputSent(engine.output.count)
  }
}
