// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

/// What the API needs of streams, whether they are Foundation's or our own.
@Suite struct StreamTests {
  private func drain(_ stream: InputStream, by size: Int) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while stream.hasBytesAvailable {
      let count = stream.read(&buffer, maxLength: size)
      guard count > 0 else { break }
      result += buffer[..<count]
    }
    return result
  }

  @Test(arguments: [1, 3, 10, 100]) func memoryIsRead(_ size: Int) {
    let bytes = [UInt8](0..<10)
    let stream = InputStream(data: Data(bytes))
    #expect(stream.streamStatus == .notOpen)
    stream.open()
    #expect(stream.streamStatus == .open)
    #expect(drain(stream, by: size) == bytes)
    stream.close()
    #expect(stream.streamStatus == .closed)
  }

  @Test func aSliceIsRead() {
    let stream = InputStream(data: Data(0..<10).dropFirst(4))
    stream.open()
    #expect(drain(stream, by: 4) == [4, 5, 6, 7, 8, 9])
  }

  @Test func aFileIsWrittenAppendedToAndRead() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("bluebonnet \(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    for (append, text) in [(false, "old"), (false, "one"), (true, "two")] {
      let stream = try #require(OutputStream(url: url, append: append))
      stream.open()
      #expect(stream.hasSpaceAvailable)
      let bytes = Array(text.utf8)
      #expect(stream.write(bytes, maxLength: bytes.count) == bytes.count)
      stream.close()
    }
    let stream = try #require(InputStream(url: url))
    stream.open()
    #expect(drain(stream, by: 4) == Array("onetwo".utf8))
    stream.close()
  }

  @Test func aMissingFileIsAnError() throws {
    let stream = try #require(InputStream(url: URL(fileURLWithPath: "/nonexistent/file")))
    stream.open()
    #expect(stream.streamStatus == .error)
    #expect(stream.streamError != nil)
    var byte: UInt8 = 0
    #expect(stream.read(&byte, maxLength: 1) == -1)
  }

  @Test func memoryIsWritten() {
    let stream = OutputStream.toMemory()
    stream.open()
    #expect(stream.write([1, 2, 3], maxLength: 3) == 3)
    #expect(stream.property(forKey: .dataWrittenToMemoryStreamKey) as? Data == Data([1, 2, 3]))
    stream.close()
  }

  @Test func whatIsNotOpenGivesAndTakesNothing() throws {
    var byte: UInt8 = 0
    let input = InputStream(data: Data([1]))
    #expect(!input.hasBytesAvailable)
    input.open()
    #expect(input.hasBytesAvailable)
    #expect(input.read(&byte, maxLength: 1) == 1 && byte == 1)
    #expect(input.read(&byte, maxLength: 1) == 0)
    #expect(input.streamStatus == .atEnd)
    let output = OutputStream.toMemory()
    #expect(output.streamStatus == .notOpen)
    output.open()
    #expect(output.streamStatus == .open && output.hasSpaceAvailable)
    output.close()
    #expect(output.streamStatus == .closed)
  }

  @Test func onlyFilesAreStreams() throws {
    #expect(InputStream(fileAtPath: "/dev/null") != nil)
    let output = try #require(OutputStream(toFileAtPath: "/nonexistent/file", append: false))
    output.open()
    #expect(output.streamStatus == .error && output.streamError != nil)
  }
}
