import BluebonnetFoundation

/// Makes something of each part of a stream.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
  /// What it makes.
  associatedtype SerializedObject: Sendable

  /// Makes it.
  ///
  /// - Parameter data: A part, cut where the network cut it.
  /// - Returns: What was made.
  func serialize(_ data: Data) throws -> SerializedObject
}

/// Decodes each part as a document of its own.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
  /// Decodes.
  public let decoder: any DataDecoder
  /// Sees each part first.
  public let dataPreprocessor: any DataPreprocessor

  /// Makes a serializer.
  public init(
    decoder: any DataDecoder = JSONDecoder(),
    dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
  ) {
    self.decoder = decoder
    self.dataPreprocessor = dataPreprocessor
  }

  /// Preprocesses and decodes.
  public func serialize(_ data: Data) throws -> T {
    let data = try dataPreprocessor.preprocess(data)
    do {
      return try decoder.decode(T.self, from: data)
    } catch {
      throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
    }
  }
}

/// Leaves each part as it is.
public struct PassthroughStreamSerializer: DataStreamSerializer {
  /// Makes a serializer.
  public init() {}

  /// Returns the part.
  public func serialize(_ data: Data) throws -> Data { data }
}

/// Reads each part as UTF-8.
public struct StringStreamSerializer: DataStreamSerializer {
  /// Makes a serializer.
  public init() {}

  /// Reads the part.
  public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer {
  /// Decodes each part.
  public static func decodable<T: Decodable & Sendable>(
    of type: T.Type, decoder: any DataDecoder = JSONDecoder(),
    dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
  ) -> Self where Self == DecodableStreamSerializer<T> {
    DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: dataPreprocessor)
  }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
  /// Leaves each part as it is.
  public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
  /// Reads each part as UTF-8.
  public static var string: StringStreamSerializer { StringStreamSerializer() }
}
