// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetURLLoading

extension Error {
  /// The error's own words. Swift's errors that have none are printed: Foundation's "The operation could not
  /// be completed" helps no reader.
  var words: String {
    switch self {
    case let error as DecodingError: return error.words
    case let error as EncodingError: return error.words
    case let error as POSIXError: return String(cString: strerror(error.code.rawValue))
    // Printed, it is a dump with paths in it; the system's words are beneath.
    case let error as CocoaError:
      if let cause = error.userInfo["NSUnderlyingError"] as? POSIXError { return cause.words }
    case let error as any LocalizedError:
      if let description = error.errorDescription { return description }
    default: break
    }
    let text = localizedDescription
    return text.hasPrefix("The operation could not be completed.") ? "\(self)" : text
  }
}

extension DecodingError {
  fileprivate var words: String {
    switch self {
    case .typeMismatch(_, let context): context.sentence(context.mismatch)
    case .keyNotFound(let key, let context):
      context.sentence("there is no key \"\(key.stringValue)\"")
    case .valueNotFound(let type, let context): context.sentence("null where \(type) is needed")
    case .dataCorrupted(let context): context.sentence(context.mismatch + context.cause)
    @unknown default: "\(self)"
    }
  }

  /// The same error, which says in its context's description to which request the response belongs.
  func naming(_ request: URLRequest?) -> DecodingError {
    guard let request, request.url != nil else { return self }
    let origin = DecodingError.Context.origin + ResponseText.name(of: request)
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.adding(origin))
    case .keyNotFound(let key, let context): .keyNotFound(key, context.adding(origin))
    case .valueNotFound(let type, let context): .valueNotFound(type, context.adding(origin))
    case .dataCorrupted(let context): .dataCorrupted(context.adding(origin))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  /// Stands before the request in a description.
  fileprivate static let origin = " In the response to "

  fileprivate func adding(_ words: String) -> Self {
    Self(codingPath: codingPath, debugDescription: debugDescription + words, underlyingError: underlyingError)
  }

  /// The place, the fault, and the request if it has been named.
  fileprivate func sentence(_ fault: String) -> String {
    let origin = words.origin
    guard !origin.isEmpty else { return codingPath.place + fault }
    return codingPath.place + (fault.hasSuffix(".") ? fault.dropLast() : fault[...]) + " (\(origin))"
  }

  private var words: (mismatch: Substring, origin: Substring) {
    guard let mark = debugDescription.ranges(of: Self.origin).last else {
      return (debugDescription[...], "")
    }
    return (debugDescription[..<mark.lowerBound], debugDescription[mark.upperBound...])
  }

  /// The decoder's words.
  fileprivate var mismatch: String { String(words.mismatch) }

  /// The parser's words, such as a line and a column.
  fileprivate var cause: String {
    guard let error = underlyingError as? CocoaError,
      let text = error.userInfo["NSDebugDescription"] as? String
    else { return "" }
    return " " + text
  }
}

extension EncodingError {
  fileprivate var words: String {
    switch self {
    case .invalidValue(_, let context): context.codingPath.place + context.debugDescription
    @unknown default: "\(self)"
    }
  }
}

extension [any CodingKey] {
  /// `at flowers[1].name: `, or nothing at the top.
  fileprivate var place: String {
    guard !isEmpty else { return "" }
    var path = ""
    for key in self {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += "\(path.isEmpty ? "" : ".")\(key.stringValue)"
      }
    }
    return "at \(path): "
  }
}
