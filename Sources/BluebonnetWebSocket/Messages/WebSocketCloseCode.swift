// SPDX-License-Identifier: MIT

/// Why a connection is closed (RFC 6455 §7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
  /// The code as it is in the frame.
  public let rawValue: UInt16

  /// Any code; whether it may be sent, ``isSendable`` says.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// 1000: the purpose is fulfilled.
  public static let normalClosure = Self(rawValue: 1000)
  /// 1001: the server goes down, or the user navigates away.
  public static let goingAway = Self(rawValue: 1001)
  /// 1002: the other side broke a rule of the protocol.
  public static let protocolError = Self(rawValue: 1002)
  /// 1003: a kind of data that this side does not take.
  public static let unsupportedData = Self(rawValue: 1003)
  /// 1005: the Close had no code. Never sent.
  public static let noStatusReceived = Self(rawValue: 1005)
  /// 1006: the connection ended without a Close. Never sent.
  public static let abnormalClosure = Self(rawValue: 1006)
  /// 1007: data that are not what the kind of message says, such as text that is no UTF-8.
  public static let invalidFramePayloadData = Self(rawValue: 1007)
  /// 1008: something that the other side's policy forbids.
  public static let policyViolation = Self(rawValue: 1008)
  /// 1009: a message too big to be taken.
  public static let messageTooBig = Self(rawValue: 1009)
  /// 1010: the server did not agree to an extension that the client cannot do without.
  public static let mandatoryExtensionMissing = Self(rawValue: 1010)
  /// 1011: the server met something that keeps it from going on.
  public static let internalServerError = Self(rawValue: 1011)
  /// 1015: TLS failed. Never sent.
  public static let tlsHandshakeFailure = Self(rawValue: 1015)

  /// Whether it may stand in a Close frame: those that the registry gives a meaning, and 3000 to 4999 for libraries and
  /// applications (RFC 6455 §7.4.2). 1004 to 1006 and 1015 are reserved for codes that are never sent.
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The content of a Close frame.
public struct WebSocketClose: Sendable, Hashable {
  /// The code; ``WebSocketCloseCode/noStatusReceived`` if the frame had none (RFC 6455 §7.1.5).
  public var code: WebSocketCloseCode
  /// The reason, in UTF-8 of at most 123 bytes; mostly empty.
  public var reason: [UInt8]

  /// A code with a reason.
  public init(_ code: WebSocketCloseCode, reason: [UInt8] = []) {
    self.code = code
    self.reason = reason
  }

  /// The longest reason: a control frame carries 125 bytes, and the code takes two (RFC 6455 §5.5).
  public static let longestReason = 123
}
