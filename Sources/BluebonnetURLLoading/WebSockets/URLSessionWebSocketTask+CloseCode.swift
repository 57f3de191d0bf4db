// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetWebSocket

extension URLSessionWebSocketTask {
  /// Why a connection is closed (RFC 6455 §7.4).
  ///
  /// Not an enumeration, because servers have codes of their own, from 3000 to 4999: decide with a `default`.
  public struct CloseCode: RawRepresentable, Sendable, Hashable {
    /// The code as it is on the wire.
    public let rawValue: Int

    /// Any code that fits in its 16 bits.
    public init?(rawValue: Int) {
      guard UInt16(exactly: rawValue) != nil else { return nil }
      self.rawValue = rawValue
    }

    init(_ code: WebSocketCloseCode) { rawValue = Int(code.rawValue) }

    /// As the protocol has it.
    var code: WebSocketCloseCode { WebSocketCloseCode(rawValue: UInt16(truncatingIfNeeded: rawValue)) }

    /// 0: the connection is open.
    public static let invalid = CloseCode(WebSocketCloseCode(rawValue: 0))
    /// 1000: its purpose is fulfilled.
    public static let normalClosure = CloseCode(.normalClosure)
    /// 1001: a side goes away.
    public static let goingAway = CloseCode(.goingAway)
    /// 1002: a rule of the protocol was broken.
    public static let protocolError = CloseCode(.protocolError)
    /// 1003: a kind of data that is not taken.
    public static let unsupportedData = CloseCode(.unsupportedData)
    /// 1005: no code was given. Never sent.
    public static let noStatusReceived = CloseCode(.noStatusReceived)
    /// 1006: the connection ended without being closed. Never sent.
    public static let abnormalClosure = CloseCode(.abnormalClosure)
    /// 1007: data that are not what the kind of message says.
    public static let invalidFramePayloadData = CloseCode(.invalidFramePayloadData)
    /// 1008: something that a policy forbids.
    public static let policyViolation = CloseCode(.policyViolation)
    /// 1009: a message too big to be taken.
    public static let messageTooBig = CloseCode(.messageTooBig)
    /// 1010: the server did not agree to an extension that the client cannot do without.
    public static let mandatoryExtensionMissing = CloseCode(.mandatoryExtensionMissing)
    /// 1011: the server cannot go on.
    public static let internalServerError = CloseCode(.internalServerError)
    /// 1015: TLS failed. Never sent.
    public static let tlsHandshakeFailure = CloseCode(.tlsHandshakeFailure)
  }
}
