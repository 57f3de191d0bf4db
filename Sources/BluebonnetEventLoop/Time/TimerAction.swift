// SPDX-License-Identifier: MIT

/// The work of a timer. A closure put into a generic container by itself would be wrapped once more, in an allocation.
struct TimerAction {
  let run: () -> Void
}
