// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Writes parameters as a JSON body.
// A JSONEncoder is not changed here once it was handed over, and encoding does not change it.
open class JSONParameterEncoder: @unchecked Sendable, ParameterEncoder {
  /// An encoder with the defaults of `JSONEncoder`.
  public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }

  /// An encoder of JSON for human eyes.
  public static var prettyPrinted: JSONParameterEncoder { formatted(.prettyPrinted) }

  /// An encoder of JSON with its keys in order.
  public static var sortedKeys: JSONParameterEncoder { formatted(.sortedKeys) }

  private static func formatted(_ formatting: JSONEncoder.OutputFormatting) -> JSONParameterEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return JSONParameterEncoder(encoder: encoder)
  }

  /// Writes the JSON. Must not be changed once the parameter encoder is in use.
  public let encoder: JSONEncoder

  /// Makes a parameter encoder.
  ///
  /// - Parameter encoder: Writes the JSON; `JSONEncoder()` by default.
  public init(encoder: JSONEncoder = JSONEncoder()) {
    self.encoder = encoder
  }

  /// Sets the body, and the content type where the request has none.
  open func encode<Parameters: Encodable>(
    _ parameters: Parameters?, into request: URLRequest
  ) throws -> URLRequest {
    guard let parameters else { return request }
    var request = request
    do {
      request.setBody(try encoder.encode(parameters), of: .json)
    } catch {
      throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
    }
    return request
  }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
  /// A JSON body with the defaults of `JSONEncoder`.
  public static var json: JSONParameterEncoder { .default }

  /// A JSON body made by this encoder.
  public static func json(encoder: JSONEncoder = JSONEncoder()) -> JSONParameterEncoder {
    JSONParameterEncoder(encoder: encoder)
  }
}
