// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetURLLoading

/// The error of a download with another checksum than it should have; see ``DownloadRequest/verifying(sha256:)`` and
/// ``DownloadList/add(_:named:sha256:)``. An addition of this package.
public struct ChecksumMismatch: Error, Sendable, Hashable {
  /// The SHA-256 digest that the file should have, in lower-case hexadecimal digits.
  public let expected: String
  /// The SHA-256 digest of the file, in lower-case hexadecimal digits; `nil` if it could not be found out.
  public let actual: String?
  /// The reason for that; `nil` for a file with another digest.
  public let obstacle: String?

  /// The obstacle where there is no digest of readable bytes.
  static let policy = "a policy of the system forbids SHA-256"
}

extension ChecksumMismatch: LocalizedError {
  /// Both digests, or why there are not two.
  public var errorDescription: String? {
    if let actual { return "the file's SHA-256 is \(actual), and should be \(expected)" }
    return
      "the file's SHA-256 cannot be found out\(obstacle.map { ": \($0)" } ?? ""), and should be \(expected)"
  }
}

/// The error of a text that is no checksum. An addition of this package.
public struct InvalidChecksum: Error, Sendable, Hashable {
  /// The text.
  public let text: String
}

extension InvalidChecksum: LocalizedError {
  /// The text, and the form that it should have.
  public var errorDescription: String? { "\"\(text)\" is no SHA-256: it should be 64 hexadecimal digits" }
}

extension DownloadRequest {
  /// Verifies the file before it gets its name: it has to have this SHA-256 digest. An addition of this package.
  ///
  /// A file with another digest is removed, no destination is asked for, and what is at the destination stays. The request fails with
  /// ``AFError/responseValidationFailed(reason:)``: `customValidationFailed`, with a ``ChecksumMismatch`` inside. A response that is
  /// not successful has no such file, and fails with `unacceptableStatusCode`, whatever validators there are. Retriers are asked
  /// as about any other failure; another attempt starts over.
  ///
  /// The digest is that of the content without its content coding, as it is in the file. It is taken while the file is written; what
  /// an earlier download has left is read once. Called when the request is under way already, this reads the file at its end,
  /// on the session's ``Session/requestQueue``. A later call sets another digest. Once the file has its name, a call has no effect.
  ///
  /// - Parameter hexadecimal: The digest: 64 hexadecimal digits, in upper or lower case.
  /// - Returns: The request.
  /// - Throws: ``InvalidChecksum`` for any other text.
  @discardableResult
  public func verifying(sha256 hexadecimal: String) throws(InvalidChecksum) -> Self {
    guard let digest = Self.digest(hexadecimal) else { throw InvalidChecksum(text: hexadecimal) }
    expectedDigest.withLock { $0 = digest }
    // A request may have been set up before.
    if let task = lastTask as? URLSessionDownloadTask { task.takesDigest = true }
    return self
  }

  /// The bytes of a SHA-256 digest; nil for any other text.
  static func digest(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal.utf8)
    guard digits.count == 64 else { return nil }
    var digest: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Byte.hexadecimalValue(digits[index]),
        let low = Byte.hexadecimalValue(digits[index + 1])
      else { return nil }
      digest.append(high << 4 | low)
    }
    return digest
  }

  /// The task, told whether to take the digest of its file.
  func takingDigest(_ task: URLSessionDownloadTask) -> URLSessionDownloadTask {
    if expectedDigest.withLock({ $0 != nil }) { task.takesDigest = true }
    return task
  }

  /// The reason why a complete file does not get its name; nil without one.
  func objection(to location: URL, of task: URLSessionTask) -> AFError? {
    guard let expected = expectedDigest.withLock({ $0 }), let task = task as? URLSessionDownloadTask else {
      return nil
    }
    if let status = (task.response as? HTTPURLResponse)?.statusCode, !(200..<300).contains(status) {
      return .responseValidationFailed(reason: .unacceptableStatusCode(code: status))
    }
    var obstacle: String?
    var actual: [UInt8]?
    do throws(POSIXError) {
      actual = try task.digest(of: location)
      if actual == nil { obstacle = ChecksumMismatch.policy }
    } catch {
      obstacle = error.words
    }
    if actual == expected { return nil }
    return .responseValidationFailed(
      reason: .customValidationFailed(
        error: ChecksumMismatch(
          expected: Self.hexadecimal(expected), actual: actual.map(Self.hexadecimal), obstacle: obstacle)))
  }

  /// A digest in lower-case digits.
  static func hexadecimal(_ digest: [UInt8]) -> String {
    // The bit of lower case changes no digit.
    let digits = digest.flatMap {
      [Byte.hexadecimalDigit($0 >> 4) | 0x20, Byte.hexadecimalDigit($0 & 15) | 0x20]
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
