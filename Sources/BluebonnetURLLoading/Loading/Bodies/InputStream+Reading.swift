// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Why a stream of the caller's is no body.
package enum UnusableStream: Error, LocalizedError, CustomStringConvertible {
  case spent
  case taken
  case overlong

  package var description: String {
    switch self {
    case .spent: "the stream has been read to its end or closed before"
    case .taken: "the stream was the body of a request before"
    case .overlong: "the stream says that it has read more bytes than it was asked for"
    }
  }

  package var errorDescription: String? { description }
}

extension InputStream {
  /// Opens it as the body of a request. Sent once more, it would be an empty body, or the rest of one.
  func openAsBody() throws(UnusableStream) {
    if streamStatus == .atEnd || streamStatus == .closed { throw .spent }
    guard StreamClaims.take(self) else { throw .taken }
    if streamStatus == .notOpen { open() }
  }

  /// Reads at most what there is room for; nothing at the end.
  ///
  /// The stream's class may be the caller's: what it says is checked, since bytes behind the buffer are not the body's.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let start = buffer.bindMemory(to: UInt8.self).baseAddress else { return 0 }
    let count = read(start, maxLength: buffer.count)
    guard count >= 0 else { throw failure }
    guard count <= buffer.count else { throw UnusableStream.overlong }
    return count
  }

  /// Why the stream failed. On Linux `streamError` must not be asked unless the status says so.
  private var failure: any Error {
    (streamStatus == .error ? streamError : nil) ?? POSIXError(.EIO)
  }
}
