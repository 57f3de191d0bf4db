// SPDX-License-Identifier: MIT
import BluebonnetTestSupport

@testable import BluebonnetWebSocket

/// What an endpoint has told.
enum Told: Hashable, Sendable, CustomStringConvertible {
  case text(String)
  case binary([UInt8])
  case ping(String)
  case pong(String)
  case close(UInt16, String)
  case failed(WebSocketError.Rule)

  var description: String {
    switch self {
    case .text(let text): "text \(text.count): \(text.prefix(40))"
    case .binary(let bytes): "binary \(bytes.count): \(bytes.prefix(40))"
    case .ping(let text): "ping \(text)"
    case .pong(let text): "pong \(text)"
    case .close(let code, let reason): "close \(code) \(reason)"
    case .failed(let rule): "failed: \(rule)"
    }
  }
}

extension WebSocketEndpoint {
  /// Receives all of `bytes`, which come in one piece of memory of their own.
  ///
  /// - Returns: What it told; the last is `failed` if it failed.
  mutating func hear(_ bytes: [UInt8]) -> [Told] {
    var told: [Told] = []
    var consumed = 0
    while true {
      do throws(WebSocketError) {
        switch try receive(in: bytes.span, consumed: &consumed) {
        case .needsMore, .end: return told
        case .message(.text): told.append(.text(String(decoding: takeMessage(), as: UTF8.self)))
        case .message(.binary): told.append(.binary(takeMessage()))
        case .ping(let payload): told.append(.ping(String(decoding: payload, as: UTF8.self)))
        case .pong(let payload): told.append(.pong(String(decoding: payload, as: UTF8.self)))
        case .close(let close):
          told.append(.close(close.code.rawValue, String(decoding: close.reason, as: UTF8.self)))
        }
      } catch {
        return told + [.failed(error.rule)]
      }
    }
  }

  /// Receives pieces one after the other, until it fails.
  mutating func hear(pieces: [[UInt8]]) -> [Told] {
    var told: [Told] = []
    for piece in pieces {
      told += hear(piece)
      if case .failed = told.last { break }
    }
    return told
  }

  /// Takes what waits to be sent.
  mutating func flush() -> [UInt8] {
    let bytes = withOutgoing { span in span.withUnsafeBytes { Array($0) } }
    sent(bytes.count)
    // What waited behind that.
    return unsentBytes == 0 ? bytes : bytes + flush()
  }

  mutating func say(_ text: String) throws { try send(.text, Array(text.utf8).span) }
  mutating func say(_ bytes: [UInt8]) throws { try send(.binary, bytes.span) }
  mutating func say(text: [UInt8]) throws { try send(.text, text.span) }
  mutating func begin(_ kind: WebSocketMessageKind, _ bytes: [UInt8]) throws {
    try send(kind, bytes.span, isLast: false)
  }
  mutating func goOn(_ bytes: [UInt8], isLast: Bool) throws { try sendMore(bytes.span, isLast: isLast) }
}

/// A client, whose masks repeat in each run.
func client(
  deflate: WebSocketDeflate? = nil, limits: WebSocketLimits = WebSocketLimits()
) -> WebSocketEndpoint {
  WebSocketEndpoint(
    .client, agreement: .init(deflate: deflate), limits: limits, using: SeededGenerator(seed: 1))
}

func server(
  deflate: WebSocketDeflate? = nil, limits: WebSocketLimits = WebSocketLimits()
) -> WebSocketEndpoint {
  WebSocketEndpoint(
    .server, agreement: .init(deflate: deflate), limits: limits, using: SeededGenerator(seed: 2))
}

/// An unmasked frame by hand: no code of the module is in it.
func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
  switch payload.count {
  case ...125: [first, UInt8(payload.count)] + payload
  case ...0xFFFF: [first, 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
  default: [first, 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) } + payload
  }
}

func frame(_ first: UInt8, _ payload: String) -> [UInt8] { frame(first, Array(payload.utf8)) }

/// The same masked, byte by byte.
func masked(_ first: UInt8, _ payload: [UInt8], key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]) -> [UInt8] {
  var bytes = frame(first, payload)
  bytes[1] |= 0x80
  let body = bytes.suffix(payload.count).enumerated().map { $1 ^ key[$0 % 4] }
  return bytes.dropLast(payload.count) + key + body
}
