// SPDX-License-Identifier: MIT
#if HTTPTypes
  /// The reason why a message of swift-http-types has no counterpart here, or the other way round.
  public enum HTTPConversionError: Error, Sendable, Hashable {
    /// A CONNECT that opens something other than a WebSocket: a tunnel is a proxy's setting here (RFC 9110 §9.3.6).
    case connect
    /// The scheme is missing, or none of `http`, `https`, `ws` and `wss`.
    case unsupportedScheme
    /// There is neither an authority nor a `Host` field.
    case missingAuthority
    /// The authority is no host with an optional port: empty, with user information, or with a character that ends it.
    case invalidAuthority
    /// `Host` names another server than the authority (RFC 9113 §8.3.1), or is there twice.
    case conflictingHost
    /// The path does not begin with a slash, or has a byte that no path may have; `*` is for OPTIONS alone.
    case invalidPath
    /// The method is no token (RFC 9110 §5.6.2), or not GET for a WebSocket.
    case invalidMethod
    /// The name of a field is no token, or its value is no text that can be sent: a control character, or no UTF-8.
    ///
    /// - Parameter name: The field's name.
    case invalidField(name: String)
    /// There are more than 65,535 fields, for which swift-http-types has no room.
    case tooManyFields
    /// The status is not between 0 and 999.
    case invalidStatus
    /// The response is not one of HTTP.
    case notHTTP
  }

  extension HTTPConversionError: CustomStringConvertible {
    /// The reason as a sentence, without values of fields and without the path.
    public var description: String {
      switch self {
      case .connect: "CONNECT cannot be loaded, unless it opens a WebSocket"
      case .unsupportedScheme: "the scheme is none of http, https, ws and wss"
      case .missingAuthority: "the request has no authority and no Host field"
      case .invalidAuthority: "the authority is not a host with an optional port"
      case .conflictingHost: "the Host field does not name the authority (RFC 9113 §8.3.1)"
      case .invalidPath: "the path does not begin with a slash, or has a character that no path may have"
      case .invalidMethod: "the method is not a token, or not GET for a WebSocket"
      case .invalidField(let name): "the field \"\(Self.shown(name))\" cannot be converted"
      case .tooManyFields: "there are more than 65,535 fields"
      case .invalidStatus: "the status is not between 0 and 999"
      case .notHTTP: "the response is not one of HTTP"
      }
    }

    /// A name without control characters, as far as it is of use.
    private static func shown(_ name: String) -> String {
      String(
        String.UnicodeScalarView(
          name.unicodeScalars.prefix(64).map { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F ? $0 : "?" }))
    }
  }
#endif
