// SPDX-License-Identifier: MIT
import Dispatch

/// Counts one download. `@unchecked Sendable`: only touched on its own queue.
final class ByteCounter: @unchecked Sendable {
  let queue = DispatchQueue(label: "benchmark.bytes")
  var count = 0
}
