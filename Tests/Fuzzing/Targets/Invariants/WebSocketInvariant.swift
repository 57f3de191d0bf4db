// SPDX-License-Identifier: MIT

// Any bytes give messages or a documented error, at bounded cost, equal at every split; what came is within the limit, text is
// text, and comes back from the other side's encoder.

import BluebonnetWebSocket

/// The first byte says which side hears it, whether messages may be compressed and whether limits are tight; the second,
/// where the bytes are cut.
enum WebSocketInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let wire = Array(input[2...])
    var whole: Account?
    for piece in [Int.max, 1, Int(input[1]) % 29 + 2] {
      let account = account(of: wire, input[0], piece: piece)
      if let breach = account.breach { return breach }
      guard let whole else {
        whole = account
        continue
      }
      if account != whole { return "in pieces of \(piece): \(account) instead of \(whole)" }
    }
    return whole.flatMap { repeated($0, input[0]) }
  }

  private struct Message: Equatable {
    var kind: WebSocketMessageKind
    var bytes: [UInt8]
  }

  private struct Account: Equatable {
    var messages: [Message] = []
    var controls: [WebSocketEndpoint.Action] = []
    var failure: WebSocketError?
    var answers = 0
    var breach: String?
  }

  private static func deflate(_ flags: UInt8) -> WebSocketDeflate? {
    guard flags & 2 != 0 else { return nil }
    var deflate = WebSocketDeflate()
    deflate.ownNoContextTakeover = flags & 4 != 0
    deflate.peerNoContextTakeover = flags & 4 != 0
    deflate.ownWindowBits = 9 + Int(flags >> 5)
    deflate.peerWindowBits = 9 + Int(flags >> 5)
    if deflate.ownWindowBits > 15 { (deflate.ownWindowBits, deflate.peerWindowBits) = (15, 15) }
    deflate.threshold = 0
    return deflate
  }

  private static func limits(_ flags: UInt8) -> WebSocketLimits {
    flags & 16 != 0 ? WebSocketLimits(messageBytes: 40, frameBytes: 30) : WebSocketLimits()
  }

  private static func account(of wire: [UInt8], _ flags: UInt8, piece: Int) -> Account {
    var endpoint = WebSocketEndpoint(
      flags & 1 != 0 ? .server : .client, agreement: .init(deflate: deflate(flags)), limits: limits(flags),
      using: Counting())
    var account = Account()
    var start = 0
    while start < wire.count {
      let bytes = Array(wire[start...].prefix(piece))
      start += bytes.count
      var consumed = 0
      do throws(WebSocketError) {
        try hear(&endpoint, bytes, &consumed, &account)
      } catch {
        account.failure = error
        account.breach = account.breach ?? breach(of: error, &endpoint)
        break
      }
      if account.breach != nil { return account }
    }
    account.answers = endpoint.unsentBytes
    // No more is answered than was asked, and what is asked for without end is not.
    if account.answers > min(wire.count * 4 + 20, 17 * 1024) {
      account.breach = "\(account.answers) bytes of answers"
    }
    return account
  }

  private static func hear(
    _ endpoint: inout WebSocketEndpoint, _ bytes: [UInt8], _ consumed: inout Int, _ account: inout Account
  ) throws(WebSocketError) {
    // Every action but the last takes bytes.
    for _ in 0...bytes.count {
      let before = consumed
      let action = try endpoint.receive(in: bytes.span, consumed: &consumed)
      guard before <= consumed, consumed <= bytes.count else {
        account.breach = "consumed \(before) to \(consumed) of \(bytes.count)"
        return
      }
      switch action {
      case .needsMore, .end:
        if consumed != bytes.count { account.breach = "\(action) with \(bytes.count - consumed) bytes left" }
        return
      case .message(let kind):
        let message = endpoint.takeMessage()
        if message.count > endpoint.limits.messageBytes {
          account.breach = "a message of \(message.count) bytes"
        }
        if kind == .text, String(validating: message, as: UTF8.self) == nil { account.breach = "no text" }
        account.messages.append(Message(kind: kind, bytes: message))
      case .ping, .pong, .close: account.controls.append(action)
      }
    }
    account.breach = "more actions than bytes"
  }

  private static func breach(of error: WebSocketError, _ endpoint: inout WebSocketEndpoint) -> String? {
    guard error.fault == .peer else { return "\(error)" }
    guard endpoint.isClosing else { return "goes on after \(error)" }
    var consumed = 0
    do throws(WebSocketError) {
      let action = try endpoint.receive(in: [0x81, 0x00].span, consumed: &consumed)
      return "\(action) after \(error)"
    } catch let second {
      return second == error && consumed == 0 ? nil : "then \(second) after \(error)"
    }
  }

  /// What came is said again, by the side that had said it.
  private static func repeated(_ account: Account, _ flags: UInt8) -> String? {
    var speaker = WebSocketEndpoint(
      flags & 1 != 0 ? .client : .server, agreement: .init(deflate: deflate(flags)), using: Counting())
    var wire: [UInt8] = []
    do throws(WebSocketError) {
      for message in account.messages {
        let half = message.bytes.count / 2
        try speaker.send(message.kind, message.bytes.span.extracting(first: half), isLast: false)
        try speaker.sendMore(message.bytes.span.extracting(half...), isLast: true)
      }
    } catch {
      return "cannot be said again: \(error)"
    }
    speaker.withOutgoing { bytes in for index in bytes.indices { wire.append(bytes[index]) } }
    let again = self.account(of: wire, flags & ~16, piece: .max)
    guard again.messages == account.messages, again.failure == nil, again.breach == nil else {
      return "said again: \(again) instead of \(account)"
    }
    return nil
  }

  /// Masks that repeat in each run.
  private struct Counting: RandomNumberGenerator, Sendable {
    private var number: UInt64 = 0x0123_4567_89AB_CDEF

    mutating func next() -> UInt64 {
      number &*= 6_364_136_223_846_793_005
      number &+= 1_442_695_040_888_963_407
      return number
    }
  }
}
