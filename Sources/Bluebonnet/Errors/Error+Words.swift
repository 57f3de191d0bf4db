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
    case .typeMismatch(_, let context): context.place + context.debugDescription
    case .keyNotFound(let key, let context): "\(context.place)there is no key \"\(key.stringValue)\""
    case .valueNotFound(let type, let context): "\(context.place)null where \(type) is needed"
    case .dataCorrupted(let context): context.place + context.debugDescription + context.cause
    @unknown default: "\(self)"
    }
  }
}

extension DecodingError.Context {
  fileprivate var place: String { codingPath.place }

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
