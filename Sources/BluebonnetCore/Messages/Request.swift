// SPDX-License-Identifier: MIT
extension HTTPClient {
  /// A request. Nothing of it is looked at before it is sent.
  public struct Request: Sendable {
    /// Any method but CONNECT, as it is written on the wire.
    public var method: String
    /// An absolute `http` or `https` URL. A name and a password in it are sent as `Authorization: Basic`; a fragment is not sent.
    /// Characters outside ASCII are percent-encoded, or written as `xn--` in the host; those not allowed by RFC 3986 are refused.
    public var url: String
    /// The fields. `Host`, those that frame the body, and those that would change how the connection is used are the
    /// client's own, and refused. `Accept`, `Accept-Encoding` and `User-Agent` are added where they are not stated.
    public var fields: Fields
    /// The content.
    public var body: Body

    /// A request.
    public init(_ url: String, method: String = "GET", fields: Fields = [:], body: Body = .none) {
      self.url = url
      self.method = method
      self.fields = fields
      self.body = body
    }

    /// A GET.
    public static func get(_ url: String, fields: Fields = [:]) -> Request {
      Request(url, fields: fields)
    }

    /// A POST.
    public static func post(_ url: String, fields: Fields = [:], body: Body) -> Request {
      Request(url, method: "POST", fields: fields, body: body)
    }
  }
}
