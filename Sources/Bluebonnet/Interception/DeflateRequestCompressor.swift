// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetURLLoading

/// Compresses the bodies of requests with `deflate` (the zlib format, RFC 9110 §8.4.1.2).
///
/// Only the `httpBody` of a `URLRequest` is compressed, the place of parameters; ``RequestCompressor`` compresses uploads, too.
/// Only a server that expects it can read such a body: unlike a server, a client has no way of knowing what the other side
/// decodes.
public struct DeflateRequestCompressor: Sendable, RequestInterceptor {
  /// The treatment of a request that has a `Content-Encoding` already, or is going to: another compressor has seen to it.
  public enum DuplicateHeaderBehavior: Sendable {
    /// The request fails with ``DeflateRequestCompressor/DuplicateHeaderError``.
    case error
    /// It is compressed, and its field replaced.
    case replace
    /// The request is sent as it is, uncompressed.
    case skip

    /// Whether to compress the body of a request.
    func compresses(_ request: URLRequest) throws -> Bool {
      guard request.value(forHTTPHeaderField: "Content-Encoding") != nil || request.bodyCoding != nil else {
        return true
      }
      switch self {
      case .error: throw DuplicateHeaderError()
      case .replace: return true
      case .skip: return false
      }
    }
  }

  /// A request that was to be compressed has a `Content-Encoding` field already.
  public struct DuplicateHeaderError: Error {}

  /// The treatment of a request that has a `Content-Encoding` already.
  public let duplicateHeaderBehavior: DuplicateHeaderBehavior
  /// Whether to compress a body; by default every body is compressed. Called on the session's `requestQueue`, with the
  /// whole body.
  public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

  /// A compressor of the bodies that the closure says yes to.
  public init(
    duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
    shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
  ) {
    self.duplicateHeaderBehavior = duplicateHeaderBehavior
    self.shouldCompressBodyData = shouldCompressBodyData
  }

  /// Compresses the body and names the coding.
  public func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    completion(Result { try compress(urlRequest) })
  }

  func compress(_ urlRequest: URLRequest) throws -> URLRequest {
    guard let body = urlRequest.httpBody, shouldCompressBodyData(body),
      try duplicateHeaderBehavior.compresses(urlRequest)
    else { return urlRequest }
    var request = urlRequest
    request.bodyCoding = nil
    request.httpBody = try BodyCoding(.deflate, level: nil, minimumLength: 0).encode(body)
    request.setValue("deflate", forHTTPHeaderField: "Content-Encoding")
    return request
  }
}

extension RequestInterceptor where Self == DeflateRequestCompressor {
  /// Compresses every body that is in memory.
  public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

  /// Compresses the bodies that the closure says yes to.
  public static func deflateCompressor(
    duplicateHeaderBehavior: DeflateRequestCompressor.DuplicateHeaderBehavior = .error,
    shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
  ) -> DeflateRequestCompressor {
    DeflateRequestCompressor(
      duplicateHeaderBehavior: duplicateHeaderBehavior, shouldCompressBodyData: shouldCompressBodyData)
  }
}
