import BluebonnetFoundation

// How single values are written. Dates have a file of their own, because `DateFormatter` needs Foundation.
extension URLEncodedFormEncoder {
  /// The form of booleans.
  public enum BoolEncoding: Sendable {
    /// `1` for true and `0` for false; the default.
    case numeric
    /// `true` and `false`.
    case literal

    func encode(_ value: Bool) -> String {
      switch self {
      case .numeric: value ? "1" : "0"
      case .literal: value ? "true" : "false"
      }
    }
  }

  /// The form of `Data`.
  public enum DataEncoding: Sendable {
    /// As `Data` encodes itself: an array of its bytes.
    case deferredToData
    /// Base 64 with padding (RFC 4648 §4), percent-encoded where need be; the default.
    case base64
    /// The text that this closure returns; what it throws ends the encoding.
    case custom(@Sendable (_ data: Data) throws -> String)

    func encode(_ data: Data) throws -> String? {
      switch self {
      case .deferredToData: nil
      case .base64: data.base64EncodedString()
      case .custom(let encoding): try encoding(data)
      }
    }
  }

  /// The form of spaces in keys and values.
  public enum SpaceEncoding: Sendable {
    /// `%20`; the default.
    case percentEscaped
    /// `+`, as browsers write forms.
    case plusReplaced
  }
}
