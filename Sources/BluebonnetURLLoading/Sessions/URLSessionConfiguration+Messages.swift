// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionConfiguration {
  /// The version that requests are sent in.
  public enum RequestVersion: Sendable, Hashable {
    /// HTTP/1.1.
    case http11
    /// HTTP/1.0, for servers that answer HTTP/1.1 wrongly (RFC 9110 §2.5). Each request has a connection of its own unless
    /// its `Connection` field says `keep-alive`. A body has to have a length, since there are no chunks; `Expect` is not
    /// sent. A WebSocket is refused.
    case http10
  }

  /// The treatment of a response that breaks the grammar of HTTP/1.1 in its head.
  public enum ResponseParsing: Sendable, Hashable {
    /// Common mistakes of honest servers are repaired: a folded field line becomes one line with a space in it (RFC 9112 §5.2),
    /// a bare LF ends a line (§2.2), whitespace between a field's name and its colon is dropped (§5.1), a control byte in
    /// the reason phrase becomes a space (§4). The connection is not used again, and `responseRepairs` of the
    /// transaction's metrics names the repairs. Faults that make the end of the body doubtful are refused: such a
    /// `Content-Length` or `Transfer-Encoding`, both of them, a bare CR, a NUL, and any fault in chunks and trailers.
    case tolerant
    /// All of that is refused, too, with `URLError.cannotParseResponse`.
    case strict
    /// Whatever can be read is read, for programs that show what a server sends, as `bonnet` does: beyond `.tolerant`, both
    /// `Content-Length` and `Transfer-Encoding` (RFC 9112 §6.3; the latter counts), a bare LF in chunks and trailers,
    /// a bare CR, a NUL and other control bytes in a value, and spaces in a row in the status line. The connection is not
    /// used again, unless all was that each line of the head ends in a bare LF. What the response says may not be what a
    /// proxy on the way has seen: nothing should depend on it.
    case lenient
  }

  /// The limit on a body's expansion when its content coding is undone.
  ///
  /// A load that goes beyond it fails with `URLError.dataLengthExceedsMaximum`, and the error's text names the limit.
  public struct DecompressionLimit: Sendable, Hashable {
    /// Bytes that may come out at most; `nil` for any number. From 0.
    public var bytes: Int?
    /// Bytes that may come out for each byte that went in, as soon as more than `ratioThreshold` came out; `nil` for any
    /// number. From 1.
    public var ratio: Int?
    /// Bytes up to which `ratio` does not count. From 0.
    public var ratioThreshold: Int

    /// Makes a limit; one without numbers allows anything. A number outside its range is refused when the limit is used:
    /// every request of the session fails with a ``RefusedSetting``.
    ///
    /// - Parameters:
    ///   - bytes: Bytes that may come out at most; `nil`, the default, for any number.
    ///   - ratio: Bytes that may come out for each byte that went in; `nil`, the default, for any number.
    ///   - ratioThreshold: Bytes up to which `ratio` does not count; 0 by default.
    public init(bytes: Int? = nil, ratio: Int? = nil, ratioThreshold: Int = 0) {
      self.bytes = bytes
      self.ratio = ratio
      self.ratioThreshold = ratioThreshold
    }

    /// 100:1 beyond 256 MiB. Text compresses 3:1 to 20:1, logs 150:1 and more, bombs 1000:1 (gzip) to a million to one (br).
    public static let inMemory = DecompressionLimit(ratio: 100, ratioThreshold: 256 << 20)
    /// Allows a body of any size, however small it was before.
    public static let none = DecompressionLimit()
  }
}
