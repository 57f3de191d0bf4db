// SPDX-License-Identifier: MIT

/// The way the end of a body is found (RFC 9112 §6.3).
enum BodyFraming: Sendable, Equatable {
  case none
  case length(Int)
  case chunked
  case untilClose
}
