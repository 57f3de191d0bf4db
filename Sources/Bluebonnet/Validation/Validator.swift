// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// One thing a response must satisfy.
enum Validator: Sendable {
  /// A validator's input beside the head.
  enum Subject: Sendable {
    case none
    case data(Data?)
    case file(URL?)
  }

  /// Nothing to object to, or an error.
  typealias Finding = Result<Void, any Error>

  typealias Check = @Sendable (URLRequest?, HTTPURLResponse, Subject) -> Finding

  /// 200 to 299.
  case successfulStatus
  case status(isLibraryCode: Bool, @Sendable (Int) -> Bool)
  /// The media types of the request's `Accept` field.
  case acceptedContentType
  case contentType(@Sendable () -> [String])
  case custom(Check)

  /// A successful status, and a body of a type that was asked for.
  static let usual = [Validator.successfulStatus, .acceptedContentType]

  /// Whether validating such a subject runs no code of the user's and touches no file system.
  func runsOnlyLibraryCode(on subject: Subject, of request: URLRequest?) -> Bool {
    switch self {
    case .successfulStatus: true
    case .status(let isLibraryCode, _): isLibraryCode
    // The file is only looked at where the request says what it accepts.
    case .acceptedContentType:
      if case .file = subject { request?.value(forHTTPHeaderField: "Accept") == nil } else { true }
    // The list is evaluated each time.
    case .contentType, .custom: false
    }
  }

  func validate(
    _ request: URLRequest?, _ response: HTTPURLResponse, _ subject: Subject
  ) -> Finding {
    switch self {
    case .successfulStatus:
      Self.validate(status: response.statusCode, isAcceptable: 200..<300 ~= response.statusCode)
    case .status(_, let isAcceptable):
      Self.validate(status: response.statusCode, isAcceptable: isAcceptable(response.statusCode))
    case .acceptedContentType:
      if let accepted = request?.value(forHTTPHeaderField: "Accept") {
        Self.validate(response, subject, acceptable: Self.elements(of: accepted))
      } else {
        .success(())
      }
    case .contentType(let acceptable):
      Self.validate(response, subject, acceptable: acceptable())
    case .custom(let check):
      check(request, response, subject)
    }
  }

  /// The elements of a list, without the white space around them (RFC 9110 §5.6.1).
  private static func elements(of list: String) -> [String] {
    list.split(separator: ",").map { String($0.trimmed) }
  }

  private static func validate(status: Int, isAcceptable: Bool) -> Finding {
    guard !isAcceptable else { return .success(()) }
    return .failure(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: status)))
  }

  /// An empty body has no type to object to.
  static func validate(
    _ response: HTTPURLResponse, _ subject: Subject, acceptable: [String]
  ) -> Finding {
    switch subject {
    case .none: break
    case .data(let data):
      guard let data, !data.isEmpty else { return .success(()) }
    case .file(let url):
      guard let url else { return .failure(AFError.responseValidationFailed(reason: .dataFileNil)) }
      guard let size = fileSize(at: url) else {
        return .failure(AFError.responseValidationFailed(reason: .dataFileReadFailed(at: url)))
      }
      guard size > 0 else { return .success(()) }
    }
    let patterns = acceptable.lazy.compactMap { MIMEPattern($0) }
    guard let type = response.mimeType, let mime = MIMEPattern(type) else {
      if patterns.contains(where: \.isWildcard) { return .success(()) }
      return .failure(
        AFError.responseValidationFailed(
          reason: .missingContentType(acceptableContentTypes: acceptable.sorted())))
    }
    if patterns.contains(where: { $0.matches(mime) }) { return .success(()) }
    return .failure(
      AFError.responseValidationFailed(
        reason: .unacceptableContentType(
          acceptableContentTypes: acceptable.sorted(), responseContentType: type)))
  }

  private static func fileSize(at url: URL) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.size] as? Int) ?? (attributes?[.size] as? UInt64).map(Int.init)
  }
}
