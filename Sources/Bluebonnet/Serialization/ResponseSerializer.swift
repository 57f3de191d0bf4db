// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetURLLoading

/// Makes a value of a response with its body in memory.
///
/// Called on the session's ``Session/serializationQueue``, also if the request has failed, once for each response
/// handler.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
  /// The type of the value.
  associatedtype SerializedObject: Sendable

  /// Makes the value, or throws `error` if the request failed, or why the value cannot be made.
  func serialize(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
  ) throws -> SerializedObject
}

/// Makes a value of a response with its body in a file.
///
/// Called on the session's ``Session/serializationQueue``, also if the request has failed, once for each response
/// handler.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
  /// The type of the value.
  associatedtype SerializedObject: Sendable

  /// Makes the value, or throws `error` if the request failed, or why the value cannot be made.
  func serializeDownload(
    request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
  ) throws -> SerializedObject
}

/// Makes a value of either kind of response, with rules for a change beforehand and for empty bodies.
public protocol ResponseSerializer<SerializedObject>: DataResponseSerializerProtocol,
  DownloadResponseSerializerProtocol
{
  /// The change of the body before it is serialized.
  var dataPreprocessor: any DataPreprocessor { get }
  /// The methods with responses that may have no body.
  var emptyRequestMethods: Set<HTTPMethod> { get }
  /// The statuses with responses that may have no body.
  var emptyResponseCodes: Set<Int> { get }
}

extension ResponseSerializer {
  /// A preprocessor that changes nothing.
  public static var defaultDataPreprocessor: any DataPreprocessor { PassthroughPreprocessor() }
  /// The methods with responses that may have no body unless a serializer says otherwise: HEAD.
  public static var defaultEmptyRequestMethods: Set<HTTPMethod> { EmptyBodyRules.methods }
  /// The statuses with responses that may have no body unless a serializer says otherwise: 204 and 205.
  public static var defaultEmptyResponseCodes: Set<Int> { EmptyBodyRules.codes }

  /// A preprocessor that changes nothing.
  public var dataPreprocessor: any DataPreprocessor { Self.defaultDataPreprocessor }
  /// ``defaultEmptyRequestMethods``: HEAD.
  public var emptyRequestMethods: Set<HTTPMethod> { Self.defaultEmptyRequestMethods }
  /// ``defaultEmptyResponseCodes``: 204 and 205.
  public var emptyResponseCodes: Set<Int> { Self.defaultEmptyResponseCodes }

  /// Whether the request's method allows an empty body; `nil` without a request.
  public func requestAllowsEmptyResponseData(_ request: URLRequest?) -> Bool? {
    request?.httpMethod.map { emptyRequestMethods.contains(HTTPMethod(rawValue: $0)) }
  }

  /// Whether the response's status allows an empty body; `nil` without a response.
  public func responseAllowsEmptyResponseData(_ response: HTTPURLResponse?) -> Bool? {
    response.map { emptyResponseCodes.contains($0.statusCode) }
  }

  /// Whether method or status allow an empty body.
  public func emptyResponseAllowed(forRequest request: URLRequest?, response: HTTPURLResponse?) -> Bool {
    requestAllowsEmptyResponseData(request) == true || responseAllowsEmptyResponseData(response) == true
  }
}

extension DownloadResponseSerializerProtocol where Self: DataResponseSerializerProtocol {
  /// Reads the whole file and serializes it like a body in memory.
  public func serializeDownload(
    request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
  ) throws -> SerializedObject {
    if let error { throw error }
    guard let fileURL else {
      throw AFError.responseSerializationFailed(reason: .inputFileNil)
    }
    let data: Data
    do {
      data = try FileReader.contents(of: fileURL.path)
    } catch {
      throw AFError.responseSerializationFailed(reason: .inputFileReadFailed(at: fileURL))
    }
    return try serialize(request: request, response: response, data: data, error: error)
  }
}

/// The defaults, made once.
private enum EmptyBodyRules {
  static let methods: Set<HTTPMethod> = [.head]
  static let codes: Set<Int> = [204, 205]
}
