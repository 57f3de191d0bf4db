// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// How single values are written.
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

  /// The form of dates.
  public enum DateEncoding: Sendable {
    /// As `Date` encodes itself: seconds since 2001.
    case deferredToDate
    /// Seconds since 1970 began in UTC, with their fraction.
    case secondsSince1970
    /// Milliseconds since 1970 began in UTC, with their fraction.
    case millisecondsSince1970
    /// As a time stamp in UTC (RFC 3339).
    case iso8601
    #if Foundation
      /// The text that this formatter makes of the date.
      case formatted(DateFormatter)
    #endif
    /// The text that this closure returns; what it throws ends the encoding.
    case custom(@Sendable (_ date: Date) throws -> String)

    func encode(_ date: Date) throws -> String? {
      switch self {
      case .deferredToDate: nil
      case .secondsSince1970: "\(date.timeIntervalSince1970)"
      case .millisecondsSince1970: "\(date.timeIntervalSince1970 * 1000)"
      case .iso8601: date.formatted(.iso8601)
      #if Foundation
        case .formatted(let formatter): formatter.string(from: date)
      #endif
      case .custom(let encoding): try encoding(date)
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
