// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Changes a body before it is serialized.
///
/// Called on the session's ``Session/serializationQueue``.
public protocol DataPreprocessor: Sendable {
  /// Changes a body.
  ///
  /// - Parameter data: The body as it came; of a stream, one part.
  /// - Returns: The bytes to be serialized.
  /// - Throws: An error of yours, with which the request fails.
  func preprocess(_ data: Data) throws -> Data
}

/// Hands on the body as it came.
public struct PassthroughPreprocessor: DataPreprocessor {
  /// Makes a preprocessor that changes nothing.
  public init() {}

  /// Returns the body as it came.
  public func preprocess(_ data: Data) throws -> Data { data }
}

/// Removes the line `)]}',` that some services put before their JSON, so that no page can load it as a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
  private static let prefix = Data(")]}',\n".utf8)

  /// Makes a preprocessor that removes the line `)]}',`.
  public init() {}

  /// The body without that line, if it begins with it.
  public func preprocess(_ data: Data) throws -> Data {
    data.starts(with: Self.prefix) ? Data(data.dropFirst(Self.prefix.count)) : data
  }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
  /// Hands on the body as it came.
  public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
  /// Removes the line `)]}',` from the beginning of the body, if it is there.
  public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}
