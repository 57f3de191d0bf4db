// SPDX-License-Identifier: MIT

/// The bytes of body handed to a queue and not yet taken there. Bounds a load's memory.
package struct Backlog {
  /// Enough that a queue always has a batch at hand while the loop reads the next.
  private static let high = 1024 * 1024
  private static let low = 256 * 1024

  package private(set) var count = 0
  package private(set) var isFull = false

  package init() {}

  package mutating func handed(_ bytes: Int) {
    count += bytes
    if count >= Self.high { isFull = true }
  }

  /// - Returns: whether the body may flow again.
  package mutating func taken(_ bytes: Int) -> Bool {
    count -= bytes
    guard isFull, count <= Self.low else { return false }
    isFull = false
    return true
  }
}
