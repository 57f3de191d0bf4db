// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// Carries a connected channel to its next owner, and closes it if there is none: the loop keeps a registered one alive.
package final class ConnectedChannel {
  private let loop: EventLoop
  private var channel: (any Channel)?

  init(_ channel: any Channel) {
    loop = channel.loop
    self.channel = channel
  }

  deinit {
    guard let channel else { return }
    loop.withLoop { channel.close() }
  }

  /// The channel, registered and without an owner; nil if it was taken before.
  package func take() -> (any Channel)? {
    channel.take()
  }
}
