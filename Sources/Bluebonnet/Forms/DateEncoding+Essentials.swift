#if !Foundation
  import BluebonnetFoundation

  extension URLEncodedFormEncoder {
    /// How a date is written.
    public enum DateEncoding: Sendable {
      /// As `Date` encodes itself: seconds since 2001.
      case deferredToDate
      /// As seconds since 1970.
      case secondsSince1970
      /// As milliseconds since 1970.
      case millisecondsSince1970
      /// As a time stamp in UTC (RFC 3339).
      case iso8601
      /// As this closure says.
      case custom(@Sendable (_ date: Date) throws -> String)

      func encode(_ date: Date) throws -> String? {
        switch self {
        case .deferredToDate: nil
        case .secondsSince1970: "\(date.timeIntervalSince1970)"
        case .millisecondsSince1970: "\(date.timeIntervalSince1970 * 1000)"
        case .iso8601: date.formatted(.iso8601)
        case .custom(let encoding): try encoding(date)
        }
      }
    }
  }
#endif
