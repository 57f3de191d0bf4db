// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetURLLoading

/// Compresses the bodies of requests with gzip, brotli or deflate: parameters, data, files, streams, sequences and forms.
///
/// A body in memory is compressed before it is sent, and has a `Content-Length`. Everything else is compressed while
/// it is sent, in chunks (RFC 9112 §7.1), with half a megabyte and what the compressor itself takes in memory; it can be sent again
/// whenever it could be without compression. The compressor gathers what it gets: bytes of a sequence that pauses may not have left
/// yet. Requests without a body are left alone.
///
/// Only a server that expects it can read such a body: unlike a server, a client has no way of knowing what the other
/// side decodes.
///
/// An addition of this package.
public struct RequestCompressor: Sendable, RequestInterceptor {
  /// A content coding (RFC 9110 §8.4.1).
  public enum Coding: Sendable, Hashable, CaseIterable {
    /// The zlib format, sent as `deflate`.
    case deflate
    /// The coding that most servers understand, sent as `gzip`.
    case gzip
    /// The smallest, sent as `br`.
    case brotli
  }

  /// The treatment of a request that has a `Content-Encoding` already.
  public typealias DuplicateHeaderBehavior = DeflateRequestCompressor.DuplicateHeaderBehavior

  /// The coding of bodies.
  public let coding: Coding
  /// The level of compression: 0 to 9 for gzip and deflate, 0 to 11 for brotli; `nil` for 6 and 5.
  public let level: Int?
  /// A body that is known to have fewer bytes is sent as it is.
  public let minimumLength: Int
  /// The treatment of a request that has a `Content-Encoding` already.
  public let duplicateHeaderBehavior: DuplicateHeaderBehavior

  /// A compressor.
  ///
  /// - Parameters:
  ///   - coding:                  The coding of bodies.
  ///   - level:                   0 to 9 for gzip and deflate, 0 to 11 for brotli; `nil`, the default, for 6 and 5. A level
  ///                              beyond counts as the nearest.
  ///   - minimumLength:           A body that is known to have fewer bytes is sent as it is; 0 by default.
  ///   - duplicateHeaderBehavior: The treatment of a request that has a `Content-Encoding` already; by default it fails
  ///                              with ``DeflateRequestCompressor/DuplicateHeaderError``.
  public init(
    _ coding: Coding, level: Int? = nil, minimumLength: Int = 0,
    duplicateHeaderBehavior: DuplicateHeaderBehavior = .error
  ) {
    self.coding = coding
    self.level = level
    self.minimumLength = minimumLength
    self.duplicateHeaderBehavior = duplicateHeaderBehavior
  }

  /// Compresses a body that is in memory, and sees to it that any other is compressed when it is sent.
  public func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    completion(Result { try compress(urlRequest) })
  }

  func compress(_ urlRequest: URLRequest) throws -> URLRequest {
    if let body = urlRequest.httpBody, body.count < max(minimumLength, 1) { return urlRequest }
    guard try duplicateHeaderBehavior.compresses(urlRequest) else { return urlRequest }
    var request = urlRequest
    let bodyCoding = BodyCoding(coding.contentCoding, level: level, minimumLength: minimumLength)
    if let body = request.httpBody {
      request.httpBody = try bodyCoding.encode(body)
      request.setValue(bodyCoding.coding.name, forHTTPHeaderField: "Content-Encoding")
    } else {
      // An upload's body is not known yet.
      request.bodyCoding = bodyCoding
    }
    return request
  }
}

extension RequestCompressor.Coding {
  fileprivate var contentCoding: ContentCoding {
    switch self {
    case .deflate: .deflate
    case .gzip: .gzip
    case .brotli: .brotli
    }
  }
}

extension RequestInterceptor where Self == RequestCompressor {
  /// Compresses every body with gzip.
  public static var gzipCompressor: RequestCompressor { RequestCompressor(.gzip) }

  /// Compresses every body with brotli.
  public static var brotliCompressor: RequestCompressor { RequestCompressor(.brotli) }

  /// Compresses every body that is not known to be shorter than `minimumLength` bytes, with a coding of your choice.
  public static func compressor(
    _ coding: RequestCompressor.Coding, level: Int? = nil, minimumLength: Int = 0,
    duplicateHeaderBehavior: RequestCompressor.DuplicateHeaderBehavior = .error
  ) -> RequestCompressor {
    RequestCompressor(
      coding, level: level, minimumLength: minimumLength, duplicateHeaderBehavior: duplicateHeaderBehavior)
  }
}
