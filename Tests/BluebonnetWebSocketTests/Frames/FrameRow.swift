// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetWebSocket

/// Bytes from a server, and what a client has to tell of them, wherever they are cut.
struct FrameRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let wire: [UInt8]
  let told: [Told]
  var deflate: WebSocketDeflate?
  var limits = WebSocketLimits()

  init(
    _ name: String, _ wire: [UInt8], _ told: Told..., deflate: WebSocketDeflate? = nil,
    limits: WebSocketLimits = WebSocketLimits()
  ) {
    testDescription = name
    self.wire = wire
    self.told = told
    self.deflate = deflate
    self.limits = limits
  }

  func endpoint() -> WebSocketEndpoint { client(deflate: deflate, limits: limits) }
}
