// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetSemantics
  import BluebonnetURLLoading
  import HTTPTypes

  extension URLRequest {
    /// A request for the same resource, with the same method and fields; nil if there can be none, for one of the reasons in
    /// ``HTTPConversionError``.
    ///
    /// Fields of one name are joined in their order: by a comma, or `Cookie` by a semicolon. `Host` goes, since the URL says the
    /// same. An extended CONNECT for a WebSocket (RFC 8441) becomes a GET of `ws` or `wss`, and `*` of an OPTIONS the
    /// `requestTarget`. Characters that no URL may have are percent-encoded in the path.
    public init?(httpRequest: HTTPRequest) {
      do { try self.init(converting: httpRequest) } catch { return nil }
    }

    /// - Throws: the reason why there can be no such request.
    init(converting request: HTTPRequest) throws(HTTPConversionError) {
      let address = try RequestAddress(request)
      var fields = HeaderFields()
      for field in request.headerFields {
        guard let value = field.sendableText else { throw .invalidField(name: field.name.rawName) }
        if field.name == .hostField {
          guard address.target.isNamed(by: value) else { throw .conflictingHost }
        } else {
          fields.add(name: field.name.rawName, value: value, separator: field.name.separator)
        }
      }
      self.init(url: address.url)
      httpMethod = address.method
      headerFields = fields
      if address.isAsterisk { requestTarget = "*" }
    }

    /// The same request without its body; nil if there can be none: no URL of `http`, `https`, `ws` or `wss`, a method that is no
    /// token, CONNECT, a `Host` of another server, or a field that must not be sent.
    ///
    /// The authority is in its canonical form, without the default port. User information of the URL becomes the `Authorization` that it
    /// stands for, unless there is one. A GET of `ws` or `wss` becomes an extended CONNECT (RFC 8441).
    public var httpRequest: HTTPRequest? { try? converted() }

    private func converted() throws(HTTPConversionError) -> HTTPRequest {
      guard let url, let target = try? TargetURI(url) else { throw .unsupportedScheme }
      guard let method = HTTPRequest.Method(httpMethod ?? "GET") else { throw .invalidMethod }
      guard method != .connect else { throw .connect }
      // One more for the user information.
      guard headerFields.count < HTTPFields.largestCount else { throw .tooManyFields }
      if target.isWebSocket, method != .get { throw .invalidMethod }
      var request = HTTPRequest(
        method: method, scheme: target.origin.isSecure ? "https" : "http", authority: target.authority,
        path: try path(target, method))
      if target.isWebSocket {
        request.method = .connect
        request.extendedConnectProtocol = "websocket"
      }
      for field in headerFields.fields {
        let converted = try HTTPField(sending: field.name, field.value)
        if converted.name == .hostField {
          guard target.isNamed(by: converted.value) else { throw .conflictingHost }
        } else {
          request.headerFields.append(converted)
        }
      }
      if let information = target.userInformation, !request.headerFields.contains(.authorization) {
        request.headerFields.append(try HTTPField(sending: "Authorization", information.authorization))
      }
      return request
    }

    private func path(_ target: TargetURI, _ method: HTTPRequest.Method) throws(HTTPConversionError) -> String
    {
      guard let own = requestTarget else { return target.path }
      let isPath = own.hasPrefix("/") && own.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      guard isPath || own == "*" && method == .options else { throw .invalidPath }
      return own
    }
  }

  extension HTTPRequest: URLRequestConvertible {
    /// The request of this package, as of `URLRequest(httpRequest:)`.
    ///
    /// With this a session takes an `HTTPRequest` wherever it takes a `URLRequest`: `session.request(_:)`, `upload(_:with:)`,
    /// `download(_:)` and `streamRequest(_:)`. One that cannot be converted fails with
    /// `AFError.createURLRequestFailed(error:)`, with the reason in it.
    ///
    /// - Throws: an ``HTTPConversionError``.
    public func asURLRequest() throws -> URLRequest { try URLRequest(converting: self) }
  }
#endif
