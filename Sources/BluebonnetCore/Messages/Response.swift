// SPDX-License-Identifier: MIT
extension HTTPClient {
  /// A response, body included.
  public struct Response: Sendable {
    /// The status, status line and fields.
    public let head: Head
    /// The content, decoded if it was coded and ``Configuration/decodesContent`` is set.
    public let body: [UInt8]
    /// Fields behind the body (RFC 9110 §6.5), which hardly any server sends.
    public let trailers: Fields

    /// The status, from 200 to 999.
    public var status: Int { head.status }
    /// The fields, as they came.
    public var fields: Fields { head.fields }
    /// The body as text: invalid UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The part of a response before its body.
  public struct Head: Sendable, Hashable {
    /// The status, from 200 to 999.
    public let status: Int
    /// The reason phrase, often empty; it says nothing that the status does not (RFC 9112 §4).
    public let reason: String
    /// The fields, as they came.
    public let fields: Fields
    /// The URL that has answered: the request's, or where redirects have led.
    public let url: String
  }
}
