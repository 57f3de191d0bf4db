// SPDX-License-Identifier: MIT
#if HTTPTypes
  import BluebonnetFoundation
  import BluebonnetHTTP1
  import BluebonnetSemantics
  import BluebonnetURLLoading
  import HTTPTypes

  /// The address of a request of swift-http-types, and the method with which it is loaded.
  struct RequestAddress {
    let url: URL
    let target: TargetURI
    let method: String
    /// Whether the request is meant for the whole server (RFC 9112 §3.2.4).
    let isAsterisk: Bool

    /// - Throws: for what cannot be loaded, or would be another request than it seems.
    init(_ request: HTTPRequest) throws(HTTPConversionError) {
      let scheme: String
      (scheme, method) = try Self.schemeAndMethod(of: request)
      let authority = try Self.authority(of: request)
      let path = try Self.path(of: request)
      isAsterisk = path == nil
      // The authority has none of the characters that end it: the path stays the path.
      guard let url = URL(string: "\(scheme)://\(authority)\(path ?? "")"), let target = try? TargetURI(url),
        target.userInformation == nil
      else { throw .invalidAuthority }
      self.url = url
      self.target = target
    }

    private static func schemeAndMethod(of request: HTTPRequest) throws(HTTPConversionError) -> (
      String, String
    ) {
      guard let scheme = request.scheme?.lowercased(), ["http", "https", "ws", "wss"].contains(scheme) else {
        throw .unsupportedScheme
      }
      let isWebSocket = scheme.hasPrefix("w")
      if let name = request.extendedConnectProtocol {
        // RFC 8441 §5: what HTTP/1.1 opens with a GET.
        guard request.method == .connect, name.lowercased() == "websocket" else { throw .connect }
        return (isWebSocket ? scheme : scheme == "https" ? "wss" : "ws", "GET")
      }
      if request.method == .connect { throw .connect }
      if isWebSocket, request.method != .get { throw .invalidMethod }
      return (scheme, request.method.rawValue)
    }

    private static func authority(of request: HTTPRequest) throws(HTTPConversionError) -> String {
      let hosts = request.headerFields.filter { $0.name == .hostField }
      guard hosts.count <= 1 else { throw .conflictingHost }
      // A request that came over HTTP/1.1 may have the field alone (RFC 9113 §8.3.1).
      guard let field = request.pseudoHeaderFields.authority ?? hosts.first else { throw .missingAuthority }
      guard let text = field.sendableText, !text.isEmpty,
        !text.utf8.contains(where: { $0 <= 0x20 || "/?#@\\".utf8.contains($0) })
      else { throw .invalidAuthority }
      return text
    }

    /// Path and query; nil for the asterisk.
    private static func path(of request: HTTPRequest) throws(HTTPConversionError) -> String? {
      guard let text = request.pseudoHeaderFields.path?.sendableText else { throw .invalidPath }
      if text == "*", request.method == .options { return nil }
      let bytes = Array(text.utf8)
      guard bytes.first == UInt8(ascii: "/") else { throw .invalidPath }
      for (index, byte) in bytes.enumerated() {
        guard byte > 0x20, byte != 0x7F, byte != UInt8(ascii: "#") else { throw .invalidPath }
        // `URL` would encode the sign itself, and with it those before well-formed bytes.
        if byte == UInt8(ascii: "%") {
          guard index + 2 < bytes.count, Byte.hexadecimalValue(bytes[index + 1]) != nil,
            Byte.hexadecimalValue(bytes[index + 2]) != nil
          else { throw .invalidPath }
        }
      }
      return text
    }
  }

  extension TargetURI {
    /// Whether the text of a `Host` field names this target's server.
    func isNamed(by host: String) -> Bool {
      guard !host.utf8.contains(where: { $0 <= 0x20 || "/?#@\\".utf8.contains($0) }),
        let url = URL(string: "\(origin.isSecure ? "https" : "http")://\(host)/"),
        let other = try? TargetURI(url)
      else { return false }
      return other.authority == authority
    }
  }
#endif
