// SPDX-License-Identifier: MIT

/// Names one scheduled timer. A token outlives its timer safely: once the timer has fired or was cancelled, the
/// token names nothing, even after its slot was given to another timer.
package struct TimerToken: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}
