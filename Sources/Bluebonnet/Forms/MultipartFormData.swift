// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetURLLoading
import BluebonnetLocks

/// A `multipart/form-data` body in the making (RFC 7578).
///
/// `Session` encodes a small form in memory, and a large one while it is sent, part by part, without a file in between; either
/// has a `Content-Length`. ``encode()`` and ``writeEncodedData(to:)`` do it by hand, the latter without ever having all of
/// it in memory.
///
/// A large form can be sent again, after a redirect or in another attempt, if all its parts are data and files. A part that is
/// a stream or a sequence can be read once; where the form would have to be sent again, the request fails and says so.
///
/// Names and file names are written as browsers write them: quotes and line breaks in them become `%22`, `%0D`
/// and `%0A`, so that no name can end its header and begin another. A content type or any other header with a line
/// break or NUL in it, and a NUL in a name, make encoding fail with ``AFError/InvalidPartHeader``.
// @unchecked: open, with properties of its own that are immutable or behind the lock.
open class MultipartFormData: @unchecked Sendable {
  /// The size up to which `Session` encodes a form in memory: 10,000,000 bytes. A larger one is encoded while it is sent.
  public static let encodingMemoryThreshold: UInt64 = 10_000_000

  /// The text that separates the parts, without the two hyphens before it. Random unless it was passed.
  public let boundary: String

  let fileManager: FileManager
  private struct State {
    var parts: [MultipartPart] = []
    var firstError: AFError?
    var statedContentType: String?
  }

  private let state: Locked<State>
  /// The boundary as a parameter's value, where it is no token (RFC 9110 §5.6.6). Looked at once: the random one needs no look.
  private let quotedBoundary: String?

  /// An empty form. Without a boundary it gets a random one.
  public init(fileManager: FileManager = .default, boundary: String? = nil) {
    self.fileManager = fileManager
    self.boundary = boundary ?? Self.randomBoundary()
    quotedBoundary = boundary.flatMap(Self.quoted)
    let text = self.boundary
    state = Locked(State(firstError: text.endsItsLine ? .invalidPartHeader("boundary", text) : nil))
  }

  /// The body's content type, with the boundary, in quotes where that is no token (RFC 9110 §5.6.6).
  open var contentType: String {
    get {
      state.withLock { $0.statedContentType }
        ?? "multipart/form-data; boundary=\(quotedBoundary ?? boundary)"
    }
    set { state.withLock { $0.statedContentType = newValue } }
  }

  /// - Returns: nil for a token, which needs no quotes.
  private static func quoted(_ text: String) -> String? {
    if !text.isEmpty, text.utf8.allSatisfy(ByteClass.token.contains) { return nil }
    let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(String(escaped))\""
  }

  /// The bytes of the parts' contents, without headers and boundaries, as far as they are known.
  public var contentLength: UInt64 {
    state.withLock { $0.parts.contentLength }
  }

  /// Appends a part that is in memory.
  public func append(
    _ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil
  ) {
    let headers = Self.headers(name: name, fileName: fileName, mimeType: mimeType)
    append(MultipartPart(headers: headers, source: .data(data), length: UInt64(data.count)))
  }

  /// Appends a file under its own name, with the content type that its extension stands for.
  public func append(_ fileURL: URL, withName name: String) {
    let fileName = fileURL.lastPathComponent
    let pathExtension = fileURL.pathExtension
    guard !fileName.isEmpty, !pathExtension.isEmpty else {
      return fail(.bodyPartFilenameInvalid(in: fileURL))
    }
    append(
      fileURL, withName: name, fileName: fileName, mimeType: MIMEType.named(byExtension: pathExtension))
  }

  /// Appends a file under a name and with a content type of your choice. A fault of the file is thrown when the
  /// form is encoded.
  ///
  /// - Parameters:
  ///   - fileURL: The file; must be a file URL.
  ///   - name: The form field's name.
  ///   - fileName: The name to send for the file.
  ///   - mimeType: The part's `Content-Type`.
  public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
    guard fileURL.isFileURL else {
      return fail(.bodyPartURLInvalid(url: fileURL))
    }
    let facts: FileFacts
    do {
      facts = try FileFacts(path: fileURL.path)
    } catch {
      switch error.code {
      case .EISDIR: return fail(.bodyPartFileIsDirectory(at: fileURL))
      case .EACCES where fileManager.fileExists(atPath: fileURL.path):
        return fail(.bodyPartInputStreamCreationFailed(for: fileURL))
      default: return fail(.bodyPartFileNotReachableWithError(atURL: fileURL, error: error))
      }
    }
    // A form states its length before it is sent, so a pipe, a device or a file in /proc cannot be a part of it.
    guard let length = facts.length.flatMap(UInt64.init(exactly:)) else {
      return fail(.bodyPartFileSizeNotAvailable(at: fileURL))
    }
    let headers = Self.headers(name: name, fileName: fileName, mimeType: mimeType)
    append(MultipartPart(headers: headers, source: .file(fileURL), length: length))
  }

  /// Appends what a stream will give. It must give exactly `length` bytes, and can be read only once.
  public func append(
    _ stream: InputStream, withLength length: UInt64, name: String, fileName: String, mimeType: String
  ) {
    append(
      stream, withLength: length,
      headers: Self.headers(name: name, fileName: fileName, mimeType: mimeType))
  }

  /// Appends what a stream will give, under headers of your own. These are written as they are, unless a line break
  /// or NUL in them would add lines to the part's head: then encoding fails.
  public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
    append(MultipartPart(headers: headers, source: .stream(stream), length: length))
  }

  /// The content type that a file's extension stands for; `application/octet-stream` for an unknown one.
  public static func contentType(ofFileNamed name: String) -> String {
    let last = name.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: ".") else { return MIMEType.named(byExtension: "") }
    return MIMEType.named(byExtension: String(last[last.index(after: dot)...]))
  }

  /// The parts, or the first thing that went wrong with one.
  func validParts() throws -> [MultipartPart] {
    try state.withLock { state in
      if let firstError = state.firstError { throw firstError }
      return state.parts
    }
  }

  func append(_ part: MultipartPart) {
    if let header = part.headers.first(where: { !$0.isOneLine }) {
      return fail(.invalidPartHeader(header.name, header.value))
    }
    state.withLock { $0.parts.append(part) }
  }

  private func fail(_ reason: AFError.MultipartEncodingFailureReason) {
    fail(.multipartEncodingFailed(reason: reason))
  }

  private func fail(_ error: AFError) {
    state.withLock { if $0.firstError == nil { $0.firstError = error } }
  }

  private static func randomBoundary() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return "bluebonnet.boundary." + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The headers of a part: those that `append` gives it, for parts that want others besides.
  ///
  /// - Parameters:
  ///   - disposition: `form-data` by default; within another part, `attachment`.
  ///   - name: The form field's name, if it has one.
  ///   - fileName: The name to send for the content, `nil` for none.
  ///   - mimeType: The part's `Content-Type`, `nil` for none.
  public static func headers(
    disposition: String = "form-data", name: String?, fileName: String?, mimeType: String?
  ) -> HTTPHeaders {
    var disposition = disposition
    if let name { disposition += "; name=\"\(name.quotable)\"" }
    if let fileName {
      disposition += "; filename=\"\(fileName.quotable)\""
    }
    var headers: HTTPHeaders = [.contentDisposition(disposition)]
    if let mimeType {
      headers.add(.contentType(mimeType))
    }
    return headers
  }
}

extension HTTPHeader {
  /// Whether the header is one line, with a name that ends where the colon is (RFC 9110 §5.1).
  var isOneLine: Bool {
    !name.isEmpty && !value.endsItsLine && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
  }
}

extension AFError {
  static func invalidPartHeader(_ name: String, _ value: String) -> AFError {
    .multipartEncodingFailed(
      reason: .outputStreamWriteFailed(error: InvalidPartHeader(name: name, value: value)))
  }
}

extension String {
  /// Whether a reader would take the text for more than one line, or for less than all of it.
  fileprivate var endsItsLine: Bool { utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 } }

  /// This text, fit to stand between quotes in a part's header (HTML, "multipart form data").
  fileprivate var quotable: String {
    guard utf8.contains(where: { $0 == 0x22 || $0 == 0x0D || $0 == 0x0A }) else { return self }
    return unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
