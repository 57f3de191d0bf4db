// SPDX-License-Identifier: MIT
import Dispatch
import Glibc

/// A process that has few file descriptors: one of its own, for all that run in it have to do with them.
public enum FewDescriptors {
  /// `ulimit -n`, for this process, and how far it may be raised again. With 3, none is to be had, whoever gives some back.
  public static func allow(_ count: Int, upTo most: Int? = nil) {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(most ?? count))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Begins an exit test with few descriptors: closes the sockets of tests that ran when its process was made, and allows so many.
  public static func begin(_ count: Int, upTo most: Int? = nil) {
    for number in 3..<Int32(1024) {
      var kind: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      if getsockopt(number, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 { close(number) }
    }
    allow(count, upTo: most)
  }

  /// Opens descriptors until none is left.
  public static func takeAll() -> [Int32] {
    _ = takesTimer
    var taken: [Int32] = []
    while true {
      let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard number >= 0 else { return taken }
      taken.append(number)
    }
  }

  /// Dispatch watches over its threads with a timer, whose descriptor a thread of its own opens at a time of its own: after all are
  /// taken, it would be one of those that are given back.
  private static let takesTimer: Void = {
    let hasFired = Signal()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { hasFired.raise() }
    _ = hasFired.wait()
  }()
}
