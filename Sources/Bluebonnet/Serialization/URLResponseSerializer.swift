// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Hands over where a download lies, without reading it.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
  /// Makes a serializer that reads nothing.
  public init() {}

  /// Returns where the file is.
  ///
  /// - Throws: `error`, or ``AFError/responseSerializationFailed(reason:)`` if there is no file.
  public func serializeDownload(
    request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
  ) throws -> URL {
    if let error { throw error }
    guard let fileURL else {
      throw AFError.responseSerializationFailed(reason: .inputFileNil)
    }
    return fileURL
  }
}

extension DownloadResponseSerializerProtocol where Self == URLResponseSerializer {
  /// Hands over where the file is, without reading it.
  public static var url: URLResponseSerializer { URLResponseSerializer() }
}
