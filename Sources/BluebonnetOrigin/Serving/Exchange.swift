// SPDX-License-Identifier: MIT

/// One request in the making, and how far its answer is.
struct Exchange {
  var record: RecordedRequest
  /// Its number in the log.
  let number: Int
  /// Whether the body is kept; `/upload` only counts.
  let keepsBody: Bool
  /// The script that answers it, if there is one.
  let script: ScriptedReply?
  /// Whether the answer has begun before the request was complete.
  var isAnswered = false

  /// Collected bodies end here, as `/upload` is there for more.
  static let bodyLimit = 10_000_000
}
