import Glibc

/// How often tests repeat what may depend on the moment.
public enum Repetitions {
  /// 200 unless `BLUEBONNET_TEST_REPETITIONS` says something else: under a sanitizer, each one takes many times as long.
  public static let count = getenv("BLUEBONNET_TEST_REPETITIONS").flatMap { Int(String(cString: $0)) } ?? 200
  /// The last of them, which have to share the processors with threads that never rest.
  public static let busyCount = count / 5
}
