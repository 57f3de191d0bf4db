// SPDX-License-Identifier: MIT
import Dispatch

/// Says something when nothing keeps it any more.
public final class LastWord: Sendable {
  private let say: @Sendable () -> Void

  /// - Parameter say: Called at the end, by whoever lets go.
  public init(_ say: @escaping @Sendable () -> Void) { self.say = say }

  deinit { say() }
}

extension Signal {
  /// Runs `work` on a thread of its own. False if it has not returned in time, because it waits for itself.
  public static func isRaised(
    after label: String = "test.work", seconds: Int = 20, _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    let returned = Signal()
    DispatchQueue(label: label).async {
      work()
      returned.raise()
    }
    return returned.wait(seconds: seconds)
  }
}
