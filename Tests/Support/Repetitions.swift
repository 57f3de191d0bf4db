// SPDX-License-Identifier: MIT
import Glibc

/// How often tests repeat what may depend on the moment. The stage *stress* of `.ci/run` repeats more.
public enum Repetitions {
  /// The number of repetitions: 20, or the value of `BLUEBONNET_TEST_REPETITIONS`.
  public static let count = getenv("BLUEBONNET_TEST_REPETITIONS").flatMap { Int(String(cString: $0)) } ?? 20
  /// The number of the last repetitions that share the processors with threads that never rest: none unless `BLUEBONNET_TEST_BUSY` is
  /// set. In a process with other tests they would keep these from their turn.
  public static let busyCount = getenv("BLUEBONNET_TEST_BUSY") == nil ? 0 : count / 5
}
