// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetEventLoop

/// Tests with a running loop. One at a time, because they measure and wait. Those that count descriptors run in a process
/// of their own, for other tests open some at the same time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LiveTests {}

/// Two connected sockets.
struct SocketPair: ~Copyable {
  let left: FileDescriptor
  let right: FileDescriptor

  init() throws(SystemError) {
    let numbers = try Syscall.socketPair()
    left = FileDescriptor(owning: numbers.0)
    right = FileDescriptor(owning: numbers.1)
  }
}

/// How often something is done that must leave no descriptor behind. The test library opens a few of its own when it
/// likes, so that only a number that grows with each round is a leak.
let descriptorRounds = 30

/// How many descriptors the process has open, this function's own not counted.
func openDescriptors() -> Int {
  guard let directory = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}

extension EventLoop {
  /// How often the loop's thread was woken through its descriptor, which is never read and so keeps count.
  var wakeUpsWritten: Int {
    guard let descriptor = withMailbox({ _ in kernel?.wakeUp.rawValue }),
      let file = fopen("/proc/self/fdinfo/\(descriptor)", "r")
    else { return -1 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("eventfd-count:") else { continue }
      return Int(text.dropFirst(14).filter(\.isHexDigit), radix: 16) ?? -1
    }
    return -1
  }

  /// Waits until the loop's thread sleeps.
  func waitUntilParked() -> Bool {
    Eventually.block { withMailbox { $0.isParked && !$0.isSignalled } }
  }
}

/// A variable for closures that run in loop context.
///
/// `@unchecked Sendable`: only touched under the loop, or after a `Signal` that was raised under it.
final class Box<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
