import Glibc
import Testing

@testable import bonnet

@Suite struct StandardStreamsTests {
  /// The last one there can be: nobody else in the process has got that far.
  private let closed = Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 1 << 20) - 1)

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
