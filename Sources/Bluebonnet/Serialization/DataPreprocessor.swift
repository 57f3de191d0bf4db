import BluebonnetFoundation

/// Changes a body before it is serialized.
public protocol DataPreprocessor: Sendable {
  /// The body to serialize.
  func preprocess(_ data: Data) throws -> Data
}

/// Leaves the body as it is.
public struct PassthroughPreprocessor: DataPreprocessor {
  /// Makes the preprocessor.
  public init() {}

  /// The same body.
  public func preprocess(_ data: Data) throws -> Data { data }
}

/// Removes the line `)]}',` that some services put before their JSON, so that no page can load it as a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
  private static let prefix = Data(")]}',\n".utf8)

  /// Makes the preprocessor.
  public init() {}

  /// The body without that line, if it begins with it.
  public func preprocess(_ data: Data) throws -> Data {
    data.starts(with: Self.prefix) ? Data(data.dropFirst(Self.prefix.count)) : data
  }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
  /// Leaves the body as it is.
  public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
  /// Removes a first line of `)]}',`.
  public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}
