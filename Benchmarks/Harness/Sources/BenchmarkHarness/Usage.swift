// SPDX-License-Identifier: MIT
import Glibc

/// What the process has used so far: the wall clock, its CPU time and its peak memory.
public struct Usage: Sendable {
  var wall: Double
  var user: Double
  var system: Double
  var peakKilobytes: Int

  /// What has been used up to now.
  public static func now() -> Usage {
    var clock = timespec()
    clock_gettime(CLOCK_MONOTONIC, &clock)
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Usage(
      wall: Double(clock.tv_sec) + Double(clock.tv_nsec) / 1e9,
      user: Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6,
      system: Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6,
      peakKilobytes: peak())
  }

  /// `VmHWM`; `ru_maxrss` would still hold the peak of the program that started this one.
  private static func peak() -> Int {
    guard let status = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(status) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), status) != nil {
      var kilobytes = 0
      if withUnsafeMutablePointer(to: &kilobytes, { withVaList([$0]) { vsscanf(line, "VmHWM: %ld", $0) } })
        == 1
      {
        return kilobytes
      }
    }
    return 0
  }

  /// What was used since `start`; the peak stays the process's own.
  public func since(_ start: Usage) -> Usage {
    Usage(
      wall: wall - start.wall, user: user - start.user, system: system - start.system,
      peakKilobytes: peakKilobytes)
  }

  /// One line of JSON, the same from every client.
  public func report(requests: Int, bytes: Int) -> String {
    """
    {"wall_s": \(wall), "user_s": \(user), "sys_s": \(system), "requests": \(requests), \
    "bytes": \(bytes), "max_rss_kb": \(peakKilobytes)}
    """
  }
}
