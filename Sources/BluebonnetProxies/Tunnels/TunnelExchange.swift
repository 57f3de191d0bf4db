// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6), once or, where the proxy requires authentication, several times
/// on the same connection.
///
///     request ─▶ answer ─2xx─▶ open: the bytes that follow are the target's
///                  │
///                  └─any other─▶ refused ─body read, the connection lasts─▶ request
///
/// A value without I/O over ``HTTP1Exchange``. A 2xx's statements about a body are not heeded (§9.3.6).
package struct TunnelExchange: Sendable {
  /// The next action.
  package enum Action: Sendable {
    case needsMore
    /// A 1xx has come.
    case interim(ResponseHead)
    /// The tunnel is there; all unconsumed input is the target's.
    case open(ResponseHead)
    /// The proxy refuses, for now at least. Its answer goes on until `end`.
    case refused(ResponseHead)
    /// The proxy's answer has ended.
    ///
    /// - Parameter mayAskAgain: The connection lasts, so that it may be asked once more.
    case end(mayAskAgain: Bool)
  }

  /// The most that is read of the body of a refusal, so that its connection can be used once more. Beyond that, a new
  /// connection is cheaper.
  package static let bodyLimit = 64 * 1024

  private let target: String
  private let fields: [ProxyServer.Field]
  private let isOldVersion: Bool
  private var http: HTTP1Exchange
  private var body = 0

  /// - Parameters:
  ///   - host: In its canonical form.
  ///   - fields: The fields for the proxy, without credentials; a `Host` among them is the only one.
  ///   - isOldVersion: The proxy is asked in HTTP/1.0.
  package init(
    to host: String, port: UInt16, fields: [ProxyServer.Field], isOldVersion: Bool = false,
    mode: ParsingMode = .tolerant, limits: ParserLimits = .default
  ) {
    // A zone means something on this machine only (RFC 6874 §4 leaves it out, too).
    let shown = host.utf8.contains(Byte.colon) ? "[\(host.prefix { $0 != "%" })]" : host
    target = "\(shown):\(port)"
    self.fields = fields
    self.isOldVersion = isOldVersion
    http = HTTP1Exchange(mode: mode, limits: limits)
  }

  /// The target of the tunnel: host and port.
  package var authority: String { target }

  /// Begins: on a new connection, or where the last answer ended so that one may ask again.
  ///
  /// - Parameter authorization: The value of `Proxy-Authorization`; nil for none.
  /// - Returns: The head to send.
  /// - Throws: If a field must not be sent.
  package mutating func start(authorization: FieldValue?) throws(HTTP1Error) -> [UInt8] {
    var encoder = RequestEncoder()
    try encoder.begin(method: "CONNECT", target: target, isOldVersion: isOldVersion)
    if !fields.contains(where: { $0.name.equalsIgnoringASCIICase("Host") }) {
      try encoder.field("Host", target)
    }
    if let authorization { try encoder.field("Proxy-Authorization", authorization) }
    for field in fields { try encoder.field(field.name, field.value) }
    encoder.end()
    try http.start(.connect, headBytes: encoder.bytes.count)
    body = 0
    return encoder.bytes
  }

  /// The head has been sent whole.
  package mutating func sent(_ head: [UInt8]) throws(HTTP1Error) {
    try http.sent(head.count)
  }

  /// Takes the next action from `input[consumed...]` and advances `consumed` past it. The rest is to be offered
  /// again with more behind it.
  package mutating func receive(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Action {
    while true {
      switch try http.receive(in: input, consumed: &consumed) {
      case .needsMore: return .needsMore
      case .interim: return .interim(http.head)
      case .head: if !(200...299).contains(http.head.status) { return .refused(http.head) }
      // An unsolicited 101 is no tunnel.
      case .upgrade:
        return (200...299).contains(http.head.status) ? .open(http.head) : .end(mayAskAgain: false)
      case .body(let range):
        body += range.count
        if body > Self.bodyLimit { return .end(mayAskAgain: false) }
      case .end(let ending): return .end(mayAskAgain: ending == .reuse)
      }
    }
  }

  /// The proxy has ended the connection.
  ///
  /// - Throws: Where its answer was cut off.
  package mutating func peerEnded() throws(HTTP1Error) -> Action {
    _ = try http.peerEnded()
    return .end(mayAskAgain: false)
  }
}
