import BluebonnetFoundation

extension Error {
  /// The error in a sentence; a decoding error with the path of the key that it is about.
  var decodingDescription: String { (self as? DecodingError)?.sentence ?? localizedDescription }
}

extension DecodingError {
  fileprivate var sentence: String {
    switch self {
    case .typeMismatch(let type, let context):
      "\(context.place) should be \(type): \(context.reason)"
    case .valueNotFound(let type, let context):
      "\(context.place) should be \(type), but has no value: \(context.reason)"
    case .keyNotFound(let key, let context):
      "\(context.place) has no key \(key.stringValue.debugDescription)"
    case .dataCorrupted(let context):
      "\(context.place) is broken: \(context.reason)"
    @unknown default:
      "\(self)"
    }
  }
}

extension DecodingError.Context {
  /// The path of keys and indices from the root, as one writes it in Swift: `users[3].address.zip`.
  fileprivate var place: String {
    guard !codingPath.isEmpty else { return "the root" }
    return codingPath.reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
  }

  /// What the decoder says, without the full stop of a sentence of its own.
  fileprivate var reason: String {
    let text = underlyingError.map { "\(debugDescription) (\($0.localizedDescription))" } ?? debugDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
