// SPDX-License-Identifier: MIT

/// Plaintext that was received and not yet taken by the parser.
struct InputBuffer {
  private(set) var bytes: [UInt8] = []
  /// The place where the parser goes on.
  var consumed = 0

  var isEmpty: Bool { consumed == bytes.count }

  /// Adds bytes behind the others, after dropping consumed ones. Invalidates ranges of earlier events.
  mutating func append(_ more: some Collection<UInt8>) {
    if consumed > 0 {
      bytes.removeFirst(consumed)
      consumed = 0
    }
    bytes.append(contentsOf: more)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    consumed = 0
  }
}
