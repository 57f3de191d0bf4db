// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: of the contents only a stream is not Sendable. It is the form's from the moment it is appended, and read only by who
// encodes the form, one part after the other.
/// A part: its headers, where its content comes from, and how long that is.
struct MultipartPart: @unchecked Sendable {
  enum Source {
    case data(Data)
    case file(URL)
    case stream(InputStream)
    case body(StreamedBody)
    /// As many parts as come.
    case parts(MultipartPartSequence)
  }

  let headers: HTTPHeaders
  let source: Source
  /// Nil if unknown.
  let length: UInt64?

  /// The bytes before the content.
  ///
  /// - Parameter delimiter: What stands before them.
  func head(after delimiter: String) -> [UInt8] {
    var bytes = Array(delimiter.utf8)
    bytes.reserveCapacity(256)
    for header in headers {
      bytes += header.name.utf8
      bytes += ": ".utf8
      bytes += header.value.utf8
      bytes += "\r\n".utf8
    }
    bytes += "\r\n".utf8
    return bytes
  }

  /// Whether the content comes at its own pace, too slow to wait for on a thread.
  var isAsynchronous: Bool {
    switch source {
    case .data, .file, .stream: false
    case .body, .parts: true
    }
  }

  /// Whether the content is the same each time it is read.
  var isReplayable: Bool {
    switch source {
    case .data, .file: true
    case .stream, .parts: false
    case .body(let body): body.isReplayable
    }
  }
}

extension [MultipartPart] {
  /// The bytes of the contents, as far as they are known; lengths that are stated may be anything.
  var contentLength: UInt64 {
    reduce(0) { total, part in
      let (sum, overflows) = total.addingReportingOverflow(part.length ?? 0)
      return overflows ? .max : sum
    }
  }
}

/// Calls its argument for each part of a sequence.
typealias MultipartPartSequence =
  @Sendable (_ each: (MultipartFormData.Part) async throws -> Void) async throws -> Void
