// SPDX-License-Identifier: MIT
import Bluebonnet
import Glibc
import Testing

@testable import bonnet

@Suite struct RegularFileTests {
  @Test func whatCanBeReadOnceIsCopiedOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appendingPathComponent("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let text = String(repeating: "authority\n", count: 20_000)
    let isWritten = DispatchSemaphore(value: 0)
    DispatchQueue(label: "writer").async {
      let descriptor = open(pipe, O_WRONLY)
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(descriptor)
      isWritten.signal()
    }
    let copy = try RegularFile.path(of: pipe)
    isWritten.wait()
    #expect(copy != pipe)
    #expect(try RegularFile.path(of: pipe) == copy)
    for _ in 1...2 { #expect(try InputFile.read(copy) == Array(text.utf8)) }
  }

  @Test func othersAreWhatTheyAre() throws {
    for path in ["/etc/hosts", "/etc", "/nowhere", "/dev/null"] {
      #expect(try RegularFile.path(of: path) == path)
    }
  }
}
