// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Unpredictable random numbers of the kernel's, many at a time: `SystemRandomNumberGenerator` makes a system call
/// for each.
package struct KernelRandom: RandomNumberGenerator, Sendable {
  private var numbers = [32 of UInt64](repeating: 0)
  /// So many of them have not been given out.
  private var rest = 0

  package init() {}

  package mutating func next() -> UInt64 {
    if rest == 0 { fill() }
    rest -= 1
    let number = numbers[rest]
    // A number given out must not be found here later.
    numbers[rest] = 0
    return number
  }

  private mutating func fill() {
    // Up to 256 bytes come whole, and without being interrupted, once the kernel's generator has started (getrandom(2)).
    let count = withUnsafeMutableBytes(of: &numbers) { Syscall.random(into: $0) }
    rest = numbers.count
    guard count != MemoryLayout<[32 of UInt64]>.size else { return }
    var system = SystemRandomNumberGenerator()
    for index in numbers.indices { numbers[index] = system.next() }
  }
}
