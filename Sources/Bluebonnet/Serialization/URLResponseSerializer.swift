import BluebonnetFoundation
import BluebonnetURLLoading

/// Hands over where a download lies, without reading it.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
  /// Makes the serializer.
  public init() {}

  /// The file's URL.
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
  /// The file's URL.
  public static var url: URLResponseSerializer { URLResponseSerializer() }
}
