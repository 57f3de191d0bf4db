// SPDX-License-Identifier: MIT

/// One line of the chat, as JSON on the wire.
struct Line: Codable, Sendable, Hashable {
  let from: String
  let text: String
}
