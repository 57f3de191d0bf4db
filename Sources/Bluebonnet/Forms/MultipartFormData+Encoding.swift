// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetURLLoading

extension MultipartFormData {
  /// Bytes beyond what the parts are said to have.
  private static let mostUnexpected: UInt64 = 64 << 20

  /// The form as one piece of memory. Streams and files are read whole, or up to 64 MiB beyond their stated length; for large ones use
  /// ``writeEncodedData(to:)``.
  ///
  /// A part that comes from an asynchronous sequence cannot be waited for here: encoding fails with
  /// ``AFError/AsynchronousPart``. Such a form is sent with `upload`.
  public func encode() throws -> Data {
    let parts = try validParts()
    try parts.refuseAsynchronous()
    var encoded = Data()
    // What a stream is said to have is believed up to a point.
    encoded.reserveCapacity(Int(min(parts.contentLength, Self.mostUnexpected)) + parts.count * 256)
    // A stream may have no end.
    try write(parts, readingBeyondLength: Self.mostUnexpected) {
      encoded.append(contentsOf: $0)
    } atEndOfStream: { part, bytesRead in
      guard bytesRead == part.length else { throw part.unexpectedLength(bytesRead) }
    }
    return encoded
  }

  /// Writes the form to a file that does not exist yet. Of a stream or file no more than the length is read that
  /// it was appended with.
  ///
  /// The new file has the mode that the umask says. A part that comes from an asynchronous sequence cannot be waited
  /// for here: writing fails with ``AFError/AsynchronousPart``, and nothing is written.
  public func writeEncodedData(to fileURL: URL) throws {
    let parts = try validParts()
    try parts.refuseAsynchronous()
    guard fileURL.isFileURL else {
      throw AFError.multipartEncodingFailed(reason: .outputStreamURLInvalid(url: fileURL))
    }
    if fileManager.fileExists(atPath: fileURL.path) {
      throw AFError.multipartEncodingFailed(reason: .outputStreamFileAlreadyExists(at: fileURL))
    }
    let file: FormFile
    do {
      file = try FormFile(creating: fileURL.path)
    } catch  where error.code == .EEXIST {
      throw AFError.multipartEncodingFailed(reason: .outputStreamFileAlreadyExists(at: fileURL))
    } catch {
      throw AFError.multipartEncodingFailed(reason: .outputStreamCreationFailed(for: fileURL))
    }
    do {
      try write(parts, readingBeyondLength: 0) {
        try file.write($0)
      } atEndOfStream: { part, bytesRead in
        guard bytesRead >= part.length ?? 0 else { throw part.unexpectedLength(bytesRead) }
      }
      try file.close()
    } catch {
      // It is this form's, and would be in the way of another attempt.
      unlink(fileURL.path)
      guard let error = error as? POSIXError else { throw error }
      throw AFError.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: error))
    }
  }

  /// Gives the encoded form to `output`, piece by piece (RFC 2046 §5.1.1).
  ///
  /// - Parameter excess: Bytes that are read of a part at most beyond its length, where it has one.
  private func write(
    _ parts: [MultipartPart], readingBeyondLength excess: UInt64,
    to output: (UnsafeRawBufferPointer) throws -> Void,
    atEndOfStream check: (MultipartPart, UInt64) throws -> Void
  ) throws {
    guard !parts.isEmpty else { return }
    for (number, part) in parts.enumerated() {
      let delimiter = MultipartStream.delimiter(boundary, isFirst: number == 0)
      try part.head(after: delimiter).withUnsafeBytes(output)
      let length = part.length ?? .max
      let bytesRead = try part.read(limit: length + min(excess, .max - length), into: output)
      try check(part, bytesRead)
    }
    try Array(MultipartStream.end(boundary).utf8).withUnsafeBytes(output)
  }
}

extension MultipartPart {
  /// Enough to make system calls rare, little enough to stay in the cache.
  private static let pieceSize = 64 * 1024

  func unexpectedLength(_ bytesRead: UInt64) -> AFError {
    .multipartEncodingFailed(
      reason: .inputStreamReadFailed(
        error: AFError.UnexpectedInputStreamLength(bytesExpected: length ?? 0, bytesRead: bytesRead)))
  }

  /// Gives the content to `output`, at most `limit` bytes of it; returns how many there were.
  func read(limit: UInt64, into output: (UnsafeRawBufferPointer) throws -> Void) throws -> UInt64 {
    switch source {
    case .data(let data):
      try data.withUnsafeBytes { bytes in try output(bytes) }
      return UInt64(data.count)
    case .file(let url):
      let file: FileReader
      do {
        file = try FileReader(path: url.path)
      } catch {
        throw AFError.multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: url))
      }
      return try Self.copy(limit: limit, to: output) { buffer in
        do {
          return try file.read(into: buffer) { true } ?? 0
        } catch {
          throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
        }
      }
    case .stream(let stream):
      stream.open()
      defer { stream.close() }
      return try Self.copy(limit: limit, to: output) { buffer in
        do {
          return try stream.read(into: buffer)
        } catch {
          throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
        }
      }
    case .body, .parts: throw AFError.asynchronousPart
    }
  }

  private static func copy(
    limit: UInt64, to output: (UnsafeRawBufferPointer) throws -> Void,
    from read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> UInt64 {
    var piece = [UInt8](repeating: 0, count: pieceSize)
    var total: UInt64 = 0
    while total < limit {
      let wanted = Int(clamping: min(UInt64(pieceSize), limit - total))
      let count = try piece.withUnsafeMutableBytes {
        try read(UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      if count == 0 { break }
      total += UInt64(count)
      try piece.withUnsafeBytes { try output(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return total
  }
}

extension [MultipartPart] {
  /// Parts that have to be waited for cannot be encoded on a thread.
  fileprivate func refuseAsynchronous() throws {
    if contains(where: \.isAsynchronous) { throw AFError.asynchronousPart }
  }
}

extension AFError {
  fileprivate static var asynchronousPart: AFError {
    .multipartEncodingFailed(reason: .inputStreamReadFailed(error: AsynchronousPart()))
  }
}
