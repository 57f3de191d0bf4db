#if Foundation
  import BluebonnetFoundation

  extension URLEncodedFormEncoder {
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
      /// The text that this formatter makes of the date.
      case formatted(DateFormatter)
      /// The text that this closure returns; what it throws ends the encoding.
      case custom(@Sendable (_ date: Date) throws -> String)

      func encode(_ date: Date) throws -> String? {
        switch self {
        case .deferredToDate: nil
        case .secondsSince1970: "\(date.timeIntervalSince1970)"
        case .millisecondsSince1970: "\(date.timeIntervalSince1970 * 1000)"
        case .iso8601: date.formatted(.iso8601)
        case .formatted(let formatter): formatter.string(from: date)
        case .custom(let encoding): try encoding(date)
        }
      }
    }
  }
#endif
