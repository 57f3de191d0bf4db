// SPDX-License-Identifier: MIT
extension WebSocketError {
  /// The rules that can be broken. New ones may be added: compare with `==`, do not list them all.
  public enum Rule: Sendable, Hashable {
    // The opening handshake.

    /// The server answered with another status than 101.
    case notSwitching(status: Int)
    /// The response's `Upgrade` field does not say `websocket`, or its `Connection` field not `upgrade`.
    case missingUpgrade
    /// `Sec-WebSocket-Accept` is missing, there twice, or not made from the key that was sent.
    case wrongAccept
    /// The server chose a subprotocol that was not offered, or more than one.
    case unofferedSubprotocol
    /// The server chose an extension that was not offered, or the same twice.
    case unofferedExtension
    /// The parameters of an extension are malformed, unknown, or not within the offer.
    case invalidExtensionParameters
    /// The request is no opening handshake.
    case invalidOpening
    /// The request speaks another version of the protocol than 13.
    case unsupportedVersion
    /// An offer that must not be sent: a subprotocol that is no token, or is there twice, or a window of another size than
    /// 8 to 15 bits.
    case invalidOffer

    // Frames.

    /// A reserved bit is set that no extension gives a meaning.
    case reservedBit
    /// The opcode is one of those that are reserved.
    case reservedOpcode
    /// A server's frame is masked.
    case maskedFrame
    /// A client's frame is not masked.
    case unmaskedFrame
    /// The length is written with more bytes than it takes, or has its highest bit set.
    case invalidLength
    /// A control frame is in fragments.
    case fragmentedControl
    /// A control frame carries more than 125 bytes.
    case controlTooLong
    /// A continuation has nothing to continue.
    case unexpectedContinuation
    /// A new message begins inside another one.
    case interruptedMessage
    /// A frame is longer than ``WebSocketLimits/frameBytes``.
    case frameTooLong

    // Messages.

    /// A message is longer than ``WebSocketLimits/messageBytes``, once inflated.
    case messageTooLong
    /// A text message, or the reason of a close, is not UTF-8.
    case invalidText
    /// A compressed message is no valid deflate data.
    case invalidDeflate

    // Closing.

    /// A Close frame with one byte, or with a code that must not be sent.
    case invalidClose
    /// The stream of bytes ended without a Close frame.
    case truncated
    /// Something is to be sent after a Close.
    case closed
    /// No memory for a compressor's state.
    case outOfMemory
  }
}

extension WebSocketError.Rule: CustomStringConvertible {
  /// The rule as a phrase.
  public var description: String {
    switch self {
    case .notSwitching(let status): "status \(status) instead of 101"
    case .missingUpgrade: "a 101 that does not change to WebSocket"
    case .wrongAccept: "a Sec-WebSocket-Accept that does not answer the key"
    case .unofferedSubprotocol: "a subprotocol that was not offered"
    case .unofferedExtension: "an extension that was not offered"
    case .invalidExtensionParameters: "parameters of an extension that it does not allow"
    case .invalidOpening: "a request that is no opening handshake"
    case .unsupportedVersion: "another version of WebSocket than 13"
    case .invalidOffer: "an offer that cannot be written"
    case .reservedBit: "a reserved bit that is set"
    case .reservedOpcode: "a reserved opcode"
    case .maskedFrame: "a masked frame from a server"
    case .unmaskedFrame: "an unmasked frame from a client"
    case .invalidLength: "a malformed frame length"
    case .fragmentedControl: "a control frame in fragments"
    case .controlTooLong: "a control frame of more than 125 bytes"
    case .unexpectedContinuation: "a continuation of nothing"
    case .interruptedMessage: "a message inside another one"
    case .frameTooLong: "a frame longer than the limit"
    case .messageTooLong: "a message longer than the limit"
    case .invalidText: "text that is not UTF-8"
    case .invalidDeflate: "a compressed message that cannot be inflated"
    case .invalidClose: "a malformed Close"
    case .truncated: "the end of the connection without a Close"
    case .closed: "a frame behind a Close"
    case .outOfMemory: "no memory for compression"
    }
  }

  /// The place where the rule is written.
  public var section: String {
    switch self {
    case .notSwitching, .missingUpgrade, .wrongAccept, .unofferedSubprotocol, .unofferedExtension,
      .invalidOffer:
      "RFC 6455 §4.1"
    case .invalidExtensionParameters: "RFC 7692 §7.1"
    case .invalidOpening: "RFC 6455 §4.2.1"
    case .unsupportedVersion: "RFC 6455 §4.4"
    case .reservedBit, .reservedOpcode, .invalidLength: "RFC 6455 §5.2"
    case .maskedFrame, .unmaskedFrame: "RFC 6455 §5.1"
    case .fragmentedControl, .controlTooLong: "RFC 6455 §5.5"
    case .unexpectedContinuation, .interruptedMessage: "RFC 6455 §5.4"
    case .frameTooLong, .messageTooLong: "RFC 6455 §10.4"
    case .invalidText: "RFC 6455 §8.1"
    case .invalidDeflate, .outOfMemory: "RFC 7692 §7.2"
    case .invalidClose: "RFC 6455 §7.4"
    case .truncated: "RFC 6455 §7.1.5"
    case .closed: "RFC 6455 §5.5.1"
    }
  }

  /// The code of a Close that reports it (RFC 6455 §7.4.1).
  var closeCode: WebSocketCloseCode {
    switch self {
    case .frameTooLong, .messageTooLong: .messageTooBig
    case .invalidText, .invalidDeflate: .invalidFramePayloadData
    case .outOfMemory: .internalServerError
    default: .protocolError
    }
  }
}
