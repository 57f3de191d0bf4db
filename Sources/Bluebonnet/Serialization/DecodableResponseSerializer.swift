// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Decodes the body as one value.
public final class DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
  /// The change of the body before it is decoded.
  public let dataPreprocessor: any DataPreprocessor
  /// Decodes the body.
  public let decoder: any DataDecoder
  /// The statuses with responses that may have no body.
  public let emptyResponseCodes: Set<Int>
  /// The methods with responses that may have no body.
  public let emptyRequestMethods: Set<HTTPMethod>

  /// Makes a serializer.
  ///
  /// - Parameters:
  ///   - dataPreprocessor: Changes the body first; by default it is not changed.
  ///   - decoder: Decodes the body; `JSONDecoder()` by default.
  ///   - emptyResponseCodes: The statuses with responses that may have no body; 204 and 205 by default.
  ///   - emptyRequestMethods: The methods with responses that may have no body; HEAD by default.
  public init(
    dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer.defaultDataPreprocessor,
    decoder: any DataDecoder = JSONDecoder(),
    emptyResponseCodes: Set<Int> = DecodableResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer.defaultEmptyRequestMethods
  ) {
    self.dataPreprocessor = dataPreprocessor
    self.decoder = decoder
    self.emptyResponseCodes = emptyResponseCodes
    self.emptyRequestMethods = emptyRequestMethods
  }

  /// The decoded value, or the type's ``EmptyResponse/emptyValue()`` where the body may be empty.
  ///
  /// The context of a `DecodingError` names the request in its description: the method, and the URL without user information and
  /// without the content of its query.
  public func serialize(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
  ) throws -> T {
    guard let data = try body(request: request, response: response, data: data, error: error) else {
      guard let empty = (T.self as? any EmptyResponse.Type)?.emptyValue() as? T else {
        throw AFError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(T.self)"))
      }
      return empty
    }
    do {
      return try decoder.decodeReceived(T.self, from: data)
    } catch let error as DecodingError {
      throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error.naming(request)))
    } catch {
      throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
    }
  }
}

extension ResponseSerializer {
  /// Decodes the body as one value.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - dataPreprocessor: Changes the body first; by default it is not changed.
  ///   - decoder: Decodes the body; `JSONDecoder()` by default.
  ///   - emptyResponseCodes: The statuses with responses that may have no body; 204 and 205 by default.
  ///   - emptyRequestMethods: The methods with responses that may have no body; HEAD by default.
  /// - Returns: The serializer.
  public static func decodable<T: Decodable & Sendable>(
    of type: T.Type = T.self,
    dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
    decoder: any DataDecoder = JSONDecoder(),
    emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods
  ) -> DecodableResponseSerializer<T> where Self == DecodableResponseSerializer<T> {
    DecodableResponseSerializer<T>(
      dataPreprocessor: dataPreprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
      emptyRequestMethods: emptyRequestMethods)
  }
}
