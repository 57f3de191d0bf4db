// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetURLLoading

extension CallbackExecutor {
  /// The process's loop.
  static var loop: CallbackExecutor { .loop(EventLoop.shared) }
}
