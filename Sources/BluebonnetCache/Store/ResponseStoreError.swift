// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// Why a response was not kept, or cannot be read.
public enum ResponseStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is larger than the store takes.
  case tooLarge(limit: Int64)
  /// The bodies being written at the same time take up all of the store.
  case full(capacity: Int)
  /// It says something that cannot be stored, such as a field's name with a space in it.
  case unsuitable(String)
  /// The stored bytes are not those written.
  case damaged(String)
  /// The body is not as long as the head says.
  case wrongLength(stated: Int64, written: Int64)
  /// The directory cannot be used.
  case unusable(directory: String, reason: String)
  /// A file could not be written or read: the error number of the call (errno(3)).
  case failed(call: String, errno: Int32)
  /// The writer has been committed, has been abandoned or has failed already.
  case finished
  /// Other processes keep the store busy.
  case busy

  /// The error in words.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "the response is larger than the \(limit) bytes that the store takes"
    case .full(let capacity): "all \(capacity) bytes of the store are being written to already"
    case .unsuitable(let what): "the response cannot be stored: \(what)"
    case .damaged(let what): "the stored response is damaged: \(what)"
    case .wrongLength(let stated, let written):
      "the body has \(written) bytes, and its head says \(stated)"
    case .unusable(let directory, let reason): "\(directory) cannot hold a cache: \(reason)"
    case .failed(let call, let number): "\(call): \(String(cString: strerror(number)))"
    case .finished: "the response has been committed or given up already"
    case .busy: "other processes keep the store busy"
    }
  }
}

extension ResponseStoreError {
  /// The error of this thread's last system call.
  static func current(_ call: String) -> ResponseStoreError { .failed(call: call, errno: errno) }

  /// Does something with a file, and names the call in its error.
  static func naming<Result>(
    _ call: String, _ body: () throws(POSIXError) -> Result
  ) throws(ResponseStoreError) -> Result {
    do throws(POSIXError) {
      return try body()
    } catch {
      throw .failed(call: call, errno: error.code.rawValue)
    }
  }
}
