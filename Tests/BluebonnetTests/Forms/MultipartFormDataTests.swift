// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// A directory that goes away with the test.
final class ScratchDirectory {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("bluebonnet-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String, _ content: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(content.utf8).write(to: file)
    return file
  }
}

@Suite struct MultipartFormDataTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// The form in memory and in a file, which must be the same.
  private func encoded(_ fill: (MultipartFormData) throws -> Void) throws -> String {
    let memory = MultipartFormData(boundary: "B")
    try fill(memory)
    let disk = MultipartFormData(boundary: "B")
    try fill(disk)
    let file = scratch.url.appendingPathComponent(UUID().uuidString)
    try disk.writeEncodedData(to: file)
    let data = try memory.encode()
    #expect(try Data(contentsOf: file) == data)
    return String(decoding: data, as: UTF8.self)
  }

  @Test func nothing() throws {
    #expect(try encoded { _ in } == "")
  }

  @Test func dataParts() throws {
    let form = try encoded {
      $0.append(Data("1".utf8), withName: "one")
      $0.append(Data(), withName: "two", fileName: "t.txt", mimeType: "text/plain")
    }
    #expect(
      form == """
        --B\r
        Content-Disposition: form-data; name="one"\r
        \r
        1\r
        --B\r
        Content-Disposition: form-data; name="two"; filename="t.txt"\r
        Content-Type: text/plain\r
        \r
        \r
        --B--\r

        """)
  }

  /// Says that there is more, and never gives any.
  private final class EmptyStream: InputStream {
    var reads = 0

    init() { super.init(data: Data()) }

    override func open() {}
    override func close() {}
    override var streamStatus: Status { .open }
    override var hasBytesAvailable: Bool { true }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
      reads += 1
      return 0
    }
  }

  /// Nothing is the end, whatever else a stream says.
  @Test func aStreamThatGivesNothingHasEnded() throws {
    for encode in [
      { try _ = $0.encode() },
      { [scratch] in try $0.writeEncodedData(to: scratch.url.appendingPathComponent("form")) },
    ] as [(MultipartFormData) throws -> Void] {
      let stream = EmptyStream()
      let form = MultipartFormData()
      form.append(stream, withLength: 3, name: "s", fileName: "s.bin", mimeType: "m/n")
      let error = #expect(throws: AFError.self) { try encode(form) }
      #expect(error?.isMultipartEncodingError == true)
      #expect(stream.reads == 1)
    }
  }

  /// Says that it has read more than there was room for.
  private final class BoastfulStream: InputStream {
    init() { super.init(data: Data()) }

    override func open() {}
    override func close() {}
    override var hasBytesAvailable: Bool { true }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { len + 1 }
  }

  @Test func aStreamThatSaysTooMuch() throws {
    let form = MultipartFormData()
    form.append(BoastfulStream(), withLength: 3, name: "s", fileName: "s.bin", mimeType: "m/n")
    let error = #expect(throws: AFError.self) { try form.encode() }
    #expect(
      error?.localizedDescription
        == "Reading a form's part failed: the stream says that it has read more bytes than it was asked for.")
  }

  @Test func filesAndStreams() throws {
    let file = try scratch.file("a.json", "{}")
    let form = try encoded {
      $0.append(file, withName: "f")
      $0.append(file, withName: "g", fileName: "other", mimeType: "x/y")
      $0.append(
        InputStream(data: Data("abc".utf8)), withLength: 3, name: "s", fileName: "s.bin", mimeType: "m/n")
      $0.append(InputStream(data: Data("d".utf8)), withLength: 1, headers: ["X-A": "b"])
      #expect($0.contentLength == 8)
    }
    #expect(form.contains("name=\"f\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n{}\r\n"))
    #expect(form.contains("name=\"g\"; filename=\"other\"\r\nContent-Type: x/y\r\n\r\n{}\r\n"))
    #expect(form.contains("name=\"s\"; filename=\"s.bin\"\r\nContent-Type: m/n\r\n\r\nabc\r\n"))
    #expect(form.contains("--B\r\nX-A: b\r\n\r\nd\r\n--B--\r\n"))
  }

  @Test func aFormIsEncodedTwice() throws {
    let file = try scratch.file("a.json", "{}")
    let form = MultipartFormData(boundary: "B")
    form.append(Data("abc".utf8), withName: "d")
    form.append(file, withName: "f")
    #expect(try form.encode() == form.encode())
    form.append(InputStream(data: Data("d".utf8)), withLength: 1, headers: ["X-A": "b"])
    _ = try form.encode()
    let error = #expect(throws: AFError.self) { try form.encode() }
    #expect(error?.isMultipartEncodingError == true)
  }

  @Test func largeFileIsWhole() throws {
    let content = String(repeating: "0123456789", count: 50_000)
    let file = try scratch.file("large.txt", content)
    let form = try encoded { $0.append(file, withName: "f") }
    #expect(form.contains("\r\n\r\n" + content + "\r\n--B--\r\n"))
  }

  @Test func namesCannotEndTheirHeader() throws {
    let form = try encoded {
      $0.append(Data(), withName: "a\"\r\nX: y", fileName: "\"é\n", mimeType: "m/n")
    }
    #expect(form.contains("name=\"a%22%0D%0AX: y\"; filename=\"%22é%0A\"\r\n"))
  }

  @Test func contentType() {
    let form = MultipartFormData(boundary: "B")
    #expect(form.contentType == "multipart/form-data; boundary=B")
    form.contentType = "multipart/mixed"
    #expect(form.contentType == "multipart/mixed")
    #expect(MultipartFormData(boundary: "a:b c").contentType == "multipart/form-data; boundary=\"a:b c\"")
    #expect(MultipartFormData(boundary: "a\"\\").contentType == #"multipart/form-data; boundary="a\"\\""#)
    #expect(MultipartFormData().boundary != MultipartFormData().boundary)
    #expect(MultipartFormData().boundary.count <= 70)
  }

  @Test(arguments: [(UInt64(2), true), (3, false), (4, true)])
  func streamsMustKeepTheirLength(_ stated: UInt64, _ fails: Bool) {
    let form = MultipartFormData()
    form.append(
      InputStream(data: Data("abc".utf8)), withLength: stated, name: "s", fileName: "s", mimeType: "m/n")
    do {
      _ = try form.encode()
      #expect(!fails)
    } catch {
      #expect(fails)
      let length = error.asAFError?.underlyingError as? AFError.UnexpectedInputStreamLength
      #expect(length?.bytesExpected == stated)
      #expect(length?.bytesRead == 3)
    }
  }

  @Test func onDiskALongStreamIsCut() throws {
    let form = MultipartFormData(boundary: "B")
    form.append(InputStream(data: Data("abc".utf8)), withLength: 2, headers: [:])
    let file = scratch.url.appendingPathComponent("cut")
    try form.writeEncodedData(to: file)
    #expect(try Data(contentsOf: file) == Data("--B\r\n\r\nab\r\n--B--\r\n".utf8))
    let short = MultipartFormData(boundary: "B")
    short.append(InputStream(data: Data("abc".utf8)), withLength: 4, headers: [:])
    let target = scratch.url.appendingPathComponent("short")
    #expect(throws: AFError.self) { try short.writeEncodedData(to: target) }
    #expect(!FileManager.default.fileExists(atPath: target.path), "half a form is no use, and in the way")
  }

  /// In memory, a stream that has far more than it should is left at some point.
  @Test func aStreamWithoutEndIsNotReadForEver() throws {
    let form = MultipartFormData()
    let endless = try #require(InputStream(fileAtPath: "/dev/zero"))
    form.append(endless, withLength: 10, name: "s", fileName: "s", mimeType: "m/n")
    let error = #expect(throws: AFError.self) { try form.encode() }
    let length = error?.underlyingError as? AFError.UnexpectedInputStreamLength
    #expect(length?.bytesExpected == 10 && length?.bytesRead == 10 + 64 << 20)
  }

  private func failure(_ fill: (MultipartFormData) -> Void) -> String {
    let form = MultipartFormData()
    fill(form)
    do {
      _ = try form.encode()
      return "none"
    } catch {
      guard case .multipartEncodingFailed(let reason)? = error.asAFError else { return "\(error)" }
      return String("\(reason)".prefix { $0 != "(" })
    }
  }

  /// What is said about streams may be anything.
  @Test func lengthsBeyondAllNumbers() {
    let form = MultipartFormData()
    for _ in 0..<2 {
      form.append(
        InputStream(data: Data("abc".utf8)), withLength: .max, name: "s", fileName: "s", mimeType: "a/b")
    }
    #expect(form.contentLength == .max)
    let error = #expect(throws: AFError.self) { try form.encode() }
    let length = error?.underlyingError as? AFError.UnexpectedInputStreamLength
    #expect(length?.bytesExpected == .max && length?.bytesRead == 3)
  }

  @Test func filesThatCannotBeParts() throws {
    let missing = scratch.url.appendingPathComponent("missing.txt")
    let bare = try scratch.file("bare", "x")
    #expect(failure { $0.append(missing, withName: "f") } == "bodyPartFileNotReachableWithError")
    #expect(failure { $0.append(bare, withName: "f") } == "bodyPartFilenameInvalid")
    let words = AFError.multipartEncodingFailed(reason: .bodyPartFilenameInvalid(in: bare))
      .localizedDescription
    #expect(words.contains("append(_:withName:fileName:mimeType:)"), "\(words)")
    #expect(
      failure { $0.append(scratch.url, withName: "f", fileName: "d", mimeType: "m/n") }
        == "bodyPartFileIsDirectory")
    #expect(
      failure { $0.append(URL(string: "https://example.org/a.txt")!, withName: "f") } == "bodyPartURLInvalid")
    // The first failure is the one that is told.
    #expect(
      failure {
        $0.append(missing, withName: "f")
        $0.append(bare, withName: "f")
      } == "bodyPartFileNotReachableWithError")
  }

  @Test func aMissingFileIsNamedWithItsError() {
    let missing = scratch.url.appendingPathComponent("missing.txt")
    let form = MultipartFormData()
    form.append(missing, withName: "f")
    let error = #expect(throws: AFError.self) { try form.encode() }
    #expect(error?.url == missing)
    #expect((error?.underlyingError as? POSIXError)?.code == .ENOENT)
  }

  /// A form states its length, which none of these knows. An empty part would be a lie.
  @Test(arguments: ["/proc/version", "/dev/null"])
  func filesWithoutALengthCannotBeParts(path: String) {
    let file = URL(fileURLWithPath: path)
    #expect(
      failure { $0.append(file, withName: "f", fileName: "f", mimeType: "m/n") }
        == "bodyPartFileSizeNotAvailable")
  }

  @Test(arguments: ["a\r\nX: y", "a\ny", "a\ry", "a\0y", "a/b\r\n\r\nbody\r\n--B--\r\n"])
  func aHeadersValueCannotAddLines(value: String) {
    for fill: (MultipartFormData) -> Void in [
      { $0.append(Data(), withName: "n", mimeType: value) },
      { $0.append(InputStream(data: Data()), withLength: 0, name: "n", fileName: "f", mimeType: value) },
      { $0.append(InputStream(data: Data()), withLength: 0, headers: ["X-A": value]) },
      { $0.append(URL(fileURLWithPath: "/proc/self/exe"), withName: "n", fileName: "f", mimeType: value) },
    ] {
      let form = MultipartFormData()
      fill(form)
      let error = #expect(throws: AFError.self) { try form.encode() }
      #expect((error?.underlyingError as? AFError.InvalidPartHeader)?.value == value)
      #expect(error?.isMultipartEncodingError == true)
    }
  }

  @Test(arguments: ["X\r\nY", "X: a", "X Y", "", "X\0", "Ä"])
  func aHeadersNameIsAName(name: String) {
    #expect(
      failure { $0.append(InputStream(data: Data()), withLength: 0, headers: [name: "value"]) }
        == "outputStreamWriteFailed")
  }

  @Test func aNULInANameIsRefused() {
    #expect(failure { $0.append(Data(), withName: "a\0b") } == "outputStreamWriteFailed")
    #expect(failure { $0.append(Data(), withName: "a", fileName: "b\0.png") } == "outputStreamWriteFailed")
  }

  @Test(arguments: ["B\r\nX", "B\n", "B\0"]) func aBoundaryIsOneLine(boundary: String) {
    let form = MultipartFormData(boundary: boundary)
    form.append(Data(), withName: "n")
    #expect(throws: AFError.self) { try form.encode() }
  }

  @Test func aLinkToNowhereIsNotWrittenThrough() throws {
    let target = scratch.url.appendingPathComponent("target")
    let link = scratch.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    let form = MultipartFormData()
    form.append(Data("x".utf8), withName: "n")
    #expect(throws: AFError.self) { try form.writeEncodedData(to: link) }
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test func filesThatCannotBeWritten() throws {
    let form = MultipartFormData()
    form.append(Data("x".utf8), withName: "n")
    let existing = try scratch.file("existing", "x")
    func reason(_ url: URL) -> String {
      do {
        try form.writeEncodedData(to: url)
        return "none"
      } catch {
        guard case .multipartEncodingFailed(let reason)? = error.asAFError else { return "\(error)" }
        return String("\(reason)".prefix { $0 != "(" })
      }
    }
    #expect(reason(existing) == "outputStreamFileAlreadyExists")
    #expect(reason(URL(string: "https://example.org/")!) == "outputStreamURLInvalid")
    #expect(reason(URL(fileURLWithPath: "/nowhere/at/all")) == "outputStreamCreationFailed")
  }

  @Test(arguments: [
    ("png", "image/png"), ("JPG", "image/jpeg"), ("json", "application/json"), ("tar", "application/x-tar"),
    ("unheard-of", "application/octet-stream"), ("", "application/octet-stream"),
  ])
  func types(_ pathExtension: String, _ type: String) {
    #expect(MIMEType.named(byExtension: pathExtension) == type)
  }
}
