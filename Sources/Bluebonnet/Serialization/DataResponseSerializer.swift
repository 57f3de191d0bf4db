// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Hands over the body as it is.
public final class DataResponseSerializer: ResponseSerializer {
  /// The change of the body before it is handed over.
  public let dataPreprocessor: any DataPreprocessor
  /// The statuses with responses that may have no body.
  public let emptyResponseCodes: Set<Int>
  /// The methods with responses that may have no body.
  public let emptyRequestMethods: Set<HTTPMethod>

  /// Makes a serializer.
  ///
  /// - Parameters:
  ///   - dataPreprocessor: Changes the body first; by default it is not changed.
  ///   - emptyResponseCodes: The statuses with responses that may have no body; 204 and 205 by default.
  ///   - emptyRequestMethods: The methods with responses that may have no body; HEAD by default.
  public init(
    dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
    emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
  ) {
    self.dataPreprocessor = dataPreprocessor
    self.emptyResponseCodes = emptyResponseCodes
    self.emptyRequestMethods = emptyRequestMethods
  }

  /// One with the default rules, which most requests share.
  static let usual = DataResponseSerializer()

  /// The body, or no bytes where none are allowed.
  public func serialize(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
  ) throws -> Data {
    try body(request: request, response: response, data: data, error: error) ?? Data()
  }
}

extension ResponseSerializer {
  /// The part that the serializers share: the body to work on, or `nil` where it is rightly empty.
  func body(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
  ) throws -> Data? {
    if let error { throw error }
    guard let data, !data.isEmpty else {
      guard emptyResponseAllowed(forRequest: request, response: response) else {
        throw AFError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
      }
      return nil
    }
    return try dataPreprocessor.preprocess(data)
  }
}

extension ResponseSerializer where Self == DataResponseSerializer {
  /// The body as it is, with the default rules.
  public static var data: DataResponseSerializer { .usual }

  /// The body as it is, with these rules.
  public static func data(
    dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
    emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
  ) -> DataResponseSerializer {
    DataResponseSerializer(
      dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
      emptyRequestMethods: emptyRequestMethods)
  }
}
