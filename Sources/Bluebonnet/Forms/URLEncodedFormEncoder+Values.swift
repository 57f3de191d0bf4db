import BluebonnetFoundation

// How single values are written. Dates have a file of their own, because `DateFormatter` needs Foundation.
extension URLEncodedFormEncoder {
  /// How a boolean is written.
  public enum BoolEncoding: Sendable {
    /// `1` and `0`.
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

  /// How data is written.
  public enum DataEncoding: Sendable {
    /// As `Data` encodes itself: an array of its bytes.
    case deferredToData
    /// As Base 64 (RFC 4648 §4).
    case base64
    /// As this closure says.
    case custom(@Sendable (_ data: Data) throws -> String)

    func encode(_ data: Data) throws -> String? {
      switch self {
      case .deferredToData: nil
      case .base64: data.base64EncodedString()
      case .custom(let encoding): try encoding(data)
      }
    }
  }

  /// How a space is written.
  public enum SpaceEncoding: Sendable {
    /// As `%20`.
    case percentEscaped
    /// As `+`, like a browser's form.
    case plusReplaced
  }
}
