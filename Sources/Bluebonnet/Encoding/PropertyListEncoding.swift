// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  /// Writes parameters of no declared type as a property list. Of version 4's API.
  public struct PropertyListEncoding: ParameterEncoding {
    /// Writes XML.
    public static var `default`: PropertyListEncoding { PropertyListEncoding() }
    /// Writes XML.
    public static var xml: PropertyListEncoding { PropertyListEncoding(format: .xml) }
    /// Writes the binary form.
    public static var binary: PropertyListEncoding { PropertyListEncoding(format: .binary) }

    /// The form; XML by default. Foundation does not write the old text form (`.openStep`): encoding in it fails.
    public let format: PropertyListSerialization.PropertyListFormat
    /// Passed to `PropertyListSerialization`. It uses none yet; 0 by default.
    public let options: PropertyListSerialization.WriteOptions

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - format:  The form; XML by default.
    ///   - options: Passed to `PropertyListSerialization`; 0 by default.
    public init(
      format: PropertyListSerialization.PropertyListFormat = .xml,
      options: PropertyListSerialization.WriteOptions = 0
    ) {
      self.format = format
      self.options = options
    }

    /// Why parameters could not be written as a property list.
    public enum Error: Swift.Error {
      /// The parameters hold something that the form cannot express: anything but text, numbers, booleans, dates, data,
      /// and arrays and dictionaries of these.
      case invalidPropertyList
    }

    /// Sets the body, and the content type `application/x-plist` where the request has none.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` with the reason `customEncodingFailed`.
    public func encode(
      _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
      var request = try urlRequest.asURLRequest()
      guard let parameters else { return request }
      do {
        guard PropertyListSerialization.propertyList(parameters, isValidFor: format) else {
          throw Error.invalidPropertyList
        }
        request.setBody(
          try PropertyListSerialization.data(fromPropertyList: parameters, format: format, options: options),
          of: .propertyList)
      } catch {
        throw AFError.parameterEncodingFailed(reason: .customEncodingFailed(error: error))
      }
      return request
    }
  }

  extension PropertyListEncoding.Error: LocalizedError {
    /// One sentence about what a property list can express.
    public var errorDescription: String? {
      "A property list is made of dictionaries with text as keys, arrays, text, numbers, booleans, dates and data, and "
        + "the parameters hold something else."
    }
  }
#endif
