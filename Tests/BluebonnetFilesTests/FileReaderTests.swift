// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetFiles

@Suite struct FileReaderTests {
  private func facts(_ path: String) throws -> FileFacts { try FileFacts(path: path) }

  @Test func filesTellTheirLength() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("facts-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for size in [0, 5] {
      try Data(count: size).write(to: file)
      let facts = try facts(file.path)
      #expect(facts.length == size && facts.canBeReadAgain)
    }
  }

  @Test func whatTheKernelMakesUpDoesNot() throws {
    let facts = try facts("/proc/version")
    #expect(facts.length == nil && facts.canBeReadAgain)
    let device = try self.facts("/dev/null")
    #expect(device.length == nil && !device.canBeReadAgain)
    let pipe = try NamedPipe()
    let unwritten = try self.facts(pipe.path)
    #expect(unwritten.length == nil && !unwritten.canBeReadAgain)
  }

  @Test func whatCannotBeReadIsAnError() {
    #expect(throws: POSIXError(.ENOENT)) { try facts("/nowhere/at/all") }
    #expect(throws: POSIXError(.EISDIR)) { try facts("/tmp") }
  }

  @Test func aPipeIsReadToItsEndAndNotBeforeItsBeginning() async throws {
    let pipe = try NamedPipe()
    let reader = try FileReader(path: pipe.path)
    let descriptors = pipe.descriptors
    #expect(descriptors.count == 1)
    #expect(descriptors.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    let writing = Task { try await detached { try pipe.write("late") } }
    var buffer = [UInt8](repeating: 0, count: 16)
    let (first, second) = try buffer.withUnsafeMutableBytes { bytes in
      (try reader.read(into: bytes) { true }, try reader.read(into: bytes) { true })
    }
    #expect(first == 4 && second == 0)
    try await writing.value
  }

  @Test func aFileIsReadWhole() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("whole-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for size in [0, 1, 256 * 1024, 1_000_000] {
      let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
      try content.write(to: file)
      #expect(try FileReader.contents(of: file.path) == content)
    }
    #expect(throws: POSIXError(.ENOENT)) { try FileReader.contents(of: "/nowhere/at/all") }
    #expect(throws: POSIXError(.EISDIR)) { try FileReader.contents(of: "/tmp") }
  }

  @Test func aFileThatDoesNotTellItsSizeIsReadWhole() throws {
    // The first says 0, the second a page.
    for path in ["/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"] where access(path, R_OK) == 0
    {
      let contents = try FileReader.contents(of: path)
      #expect(contents.last == UInt8(ascii: "\n") && contents.count < 4096)
    }
  }

  @Test func nobodyWaitsForAPipeInVain() throws {
    let pipe = try NamedPipe()
    let reader = try FileReader(path: pipe.path)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(try buffer.withUnsafeMutableBytes { try reader.read(into: $0) { false } } == nil)
  }
}
