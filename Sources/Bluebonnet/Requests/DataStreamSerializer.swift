// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Makes a value of each part of a streamed body.
///
/// Called on the session's ``Session/serializationQueue``, in the order of the parts. What it throws is handed to the
/// stream handler, and ends the stream if the request was made with `automaticallyCancelOnStreamError`.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
  /// The type of the values.
  associatedtype SerializedObject: Sendable

  /// Makes it.
  ///
  /// - Parameter data: A part, cut where the network cut it.
  /// - Returns: The value.
  func serialize(_ data: Data) throws -> SerializedObject
}

/// Decodes each part as a document of its own.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
  /// Decodes each part.
  public let decoder: any DataDecoder
  /// Changes each part before it is decoded.
  public let dataPreprocessor: any DataPreprocessor

  /// Makes a serializer.
  ///
  /// - Parameters:
  ///   - decoder: Decodes each part; `JSONDecoder()` by default.
  ///   - dataPreprocessor: Changes each part first; by default none is changed.
  public init(
    decoder: any DataDecoder = JSONDecoder(),
    dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
  ) {
    self.decoder = decoder
    self.dataPreprocessor = dataPreprocessor
  }

  /// Decodes a part.
  ///
  /// - Throws: What the preprocessor threw, or ``AFError/responseSerializationFailed(reason:)`` around the decoder's
  ///   error.
  public func serialize(_ data: Data) throws -> T {
    let data = try dataPreprocessor.preprocess(data)
    do {
      return try decoder.decodeReceived(T.self, from: data)
    } catch {
      throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
    }
  }
}

/// Hands on each part as it came.
public struct PassthroughStreamSerializer: DataStreamSerializer {
  /// Makes a serializer that changes nothing.
  public init() {}

  /// Returns the part as it came.
  public func serialize(_ data: Data) throws -> Data { data }
}

/// Reads each part as UTF-8. A character that the network cut in two becomes two replacement characters.
public struct StringStreamSerializer: DataStreamSerializer {
  /// Makes a serializer for UTF-8.
  public init() {}

  /// Reads a part as UTF-8, with replacement characters for invalid bytes. Never throws.
  public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer {
  /// Decodes each part as a document of its own.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - decoder: Decodes each part; `JSONDecoder()` by default.
  ///   - dataPreprocessor: Changes each part first; by default none is changed.
  /// - Returns: The serializer.
  public static func decodable<T: Decodable & Sendable>(
    of type: T.Type, decoder: any DataDecoder = JSONDecoder(),
    dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
  ) -> Self where Self == DecodableStreamSerializer<T> {
    DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: dataPreprocessor)
  }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
  /// Hands on each part as it came.
  public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
  /// Reads each part as UTF-8.
  public static var string: StringStreamSerializer { StringStreamSerializer() }
}
