// SPDX-License-Identifier: MIT
import Glibc

/// Pauses by which a load at random or a slow server is made. How long they take is the machine's business: no
/// expectation may depend on that, least of all that nothing happens meanwhile.
public enum Pause {
  /// Blocks the calling thread for about so long.
  public static func take(microseconds: Int) { usleep(useconds_t(clamping: microseconds)) }

  /// Suspends the calling task for about so long, or until it is cancelled.
  public static func suspend(microseconds: Int) async {
    try? await Task.sleep(for: .microseconds(microseconds))
  }

  /// Suspends the calling task until it is cancelled.
  public static func forever() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
  }
}
