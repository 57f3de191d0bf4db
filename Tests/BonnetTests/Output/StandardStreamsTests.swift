// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import bonnet

@Suite struct StandardStreamsTests {
  /// The highest one that the process may have: the kernel gives out the lowest, so nobody else gets it meanwhile.
  private let closed: Int32 = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int32(clamping: limit.rlim_cur) - 1
  }()

  @Test func closedOnesAreOccupied() {
    StandardStreams.occupy(closed, O_RDONLY)
    defer { close(closed) }
    var byte: UInt8 = 0
    #expect(read(closed, &byte, 1) == 0)
    #expect(write(closed, &byte, 1) == -1)
  }

  @Test func openOnesStay() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    StandardStreams.occupy(ends[1], O_RDONLY)
    var byte: UInt8 = 7
    #expect(write(ends[1], &byte, 1) == 1)
  }
}
