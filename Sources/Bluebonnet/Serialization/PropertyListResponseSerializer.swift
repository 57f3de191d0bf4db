// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  /// Reads the body as a property list of no declared type, in any of its forms. Of version 4's API; a type of your own is
  /// read by a ``DecodableResponseSerializer`` with a `PropertyListDecoder`.
  public final class PropertyListResponseSerializer: ResponseSerializer {
    /// The change of the body before it is read.
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
      dataPreprocessor: any DataPreprocessor = PropertyListResponseSerializer.defaultDataPreprocessor,
      emptyResponseCodes: Set<Int> = PropertyListResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = PropertyListResponseSerializer.defaultEmptyRequestMethods
    ) {
      self.dataPreprocessor = dataPreprocessor
      self.emptyResponseCodes = emptyResponseCodes
      self.emptyRequestMethods = emptyRequestMethods
    }

    /// The list's objects, or `NSNull` where the body may be empty.
    ///
    /// - Throws: `AFError.responseSerializationFailed` with the reason `customSerializationFailed` for anything but a property
    ///   list, and for one of more than 512 levels or with objects that repeat without measure.
    public func serialize(
      request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> any Any & Sendable {
      guard let data = try body(request: request, response: response, data: data, error: error) else {
        return NSNull()
      }
      do {
        try PropertyListBounds.check(data)
        return sendableTree(try PropertyListSerialization.propertyList(from: data, options: [], format: nil))
      } catch {
        throw AFError.responseSerializationFailed(reason: .customSerializationFailed(error: error))
      }
    }
  }

  /// A property list is text, numbers, dates, data, and containers of these; JSON has `NSNull` beside them. Only the containers'
  /// types do not say that they can be sent.
  func sendableTree(_ object: Any) -> any Any & Sendable {
    switch object {
    case let dictionary as [String: Any]: dictionary.mapValues(sendableTree)
    case let array as [Any]: array.map(sendableTree)
    case let text as String: text
    case let date as Date: date
    case let data as Data: data
    case let number as NSNumber: number
    default: NSNull()
    }
  }

  extension ResponseSerializer where Self == PropertyListResponseSerializer {
    /// A property list of no declared type, with the default rules.
    public static var propertyList: PropertyListResponseSerializer { PropertyListResponseSerializer() }
  }
#endif
