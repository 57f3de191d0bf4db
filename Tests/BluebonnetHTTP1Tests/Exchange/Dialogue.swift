// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Testing

/// A conversation between a client and a server, turn by turn, and what the exchange makes of it.
struct Dialogue: Sendable, CustomTestStringConvertible {
  /// Stands for the encoded head of every request.
  static let head = "<head>"

  enum Turn: Sendable {
    /// The client begins a request.
    case start(
      RequestKind = .ordinary, body: HTTP1Exchange.RequestFraming = .none, expects: Bool = false,
      closes: Bool = false, upgrades: Bool = false)
    /// The client sends all that there is to send, and it is this.
    case sends(String)
    /// The client sends so many bytes of what there is to send.
    case sendsOnly(Int)
    /// The client has a piece of the body.
    case lends(String, isLast: Bool = false)
    /// The client's body has ended.
    case endsBody
    /// This is what the sending side wants now.
    case wants(HTTP1Exchange.Sending)
    case continueTimesOut, sendingFails, bodyFails, cancels, peerHangsUp
    /// The server says this, and the client takes from it what there is to take.
    case says(String, [Heard])
    /// The server ends its side.
    case serverEnds(Heard)
    /// The client asks without anything new.
    case asksAgain(Heard)

    static func server(_ text: String, _ heard: Heard...) -> Turn { .says(text, heard) }
  }

  /// An action, with the bytes that a range stands for.
  enum Heard: Equatable, Sendable {
    case interim(Int)
    case head(Int)
    case body(String)
    case reuse
    case close(CloseReason)
    case upgrade(rest: String)
    case refused(HTTP1Error.Rule)
    case needsMore
  }

  let name: String
  let mode: ParsingMode
  let turns: [Turn]

  init(_ name: String, mode: ParsingMode = .strict, _ turns: [Turn]) {
    self.name = name
    self.mode = mode
    self.turns = turns
  }

  var testDescription: String { name }

  /// How many bytes the server says in all.
  var serverCount: Int {
    turns.reduce(0) { count, turn in
      if case .says(let text, _) = turn { count + text.utf8.count } else { count }
    }
  }

  /// How the bytes of both sides are cut.
  struct Cut: Sendable, Equatable {
    /// Where the server's bytes are cut, counted from its first; nil: after each.
    var server: Int?
    /// How many bytes the client sends at once.
    var client = Int.max
    /// Whether the client knows, when it has got the first of two pieces, that the second is there.
    var knowsWhatFollows = false
  }

  /// What went otherwise than the table says, or nothing.
  func difference(_ cut: Cut) -> String? {
    var player = DialoguePlayer(mode: mode, cut: cut)
    for (index, turn) in turns.enumerated() {
      if let difference = player.play(turn) { return "turn \(index), \(turn): \(difference)" }
    }
    return nil
  }
}

/// Plays a dialogue with an exchange, as a driver would.
struct DialoguePlayer {
  var exchange: HTTP1Exchange
  let cut: Dialogue.Cut
  private var piece: [UInt8] = []
  private var unread: [UInt8] = []
  private var said = 0
  private var isOver = false

  init(mode: ParsingMode, cut: Dialogue.Cut) {
    exchange = HTTP1Exchange(mode: mode)
    self.cut = cut
  }

  mutating func play(_ turn: Dialogue.Turn) -> String? {
    do throws(HTTP1Error) {
      switch turn {
      case .start(let kind, let body, let expects, let closes, let upgrades):
        try exchange.start(
          kind, headBytes: Dialogue.head.utf8.count, body: body, expectsContinue: expects,
          closesConnection: closes, offersUpgrade: upgrades)
        isOver = false
      case .sends(let text):
        let bytes = try send(.max)
        if text != bytes { return "sends \(bytes.debugDescription)" }
      case .sendsOnly(let count): _ = try send(count)
      case .lends(let text, let isLast):
        try exchange.lend(text.utf8.count, isLast: isLast)
        piece = Array(text.utf8)
      case .endsBody: try exchange.endBody()
      case .wants(let sending): if exchange.nextToSend != sending { return "wants \(exchange.nextToSend)" }
      case .continueTimesOut: exchange.continueTimedOut()
      case .sendingFails: exchange.sendingFailed()
      case .bodyFails: exchange.bodyFailed()
      case .cancels: exchange.cancel()
      case .peerHangsUp: exchange.peerHungUp()
      case .says(let text, let expected):
        let heard = hear(Array(text.utf8))
        if heard != expected { return "hears \(heard)" }
      case .serverEnds(let expected):
        let heard = self.heard { (exchange) throws(HTTP1Error) in try exchange.peerEnded() }
        if heard != expected { return "hears \(heard)" }
      case .asksAgain(let expected):
        var consumed = 0
        let heard = self.heard { (exchange) throws(HTTP1Error) in
          try exchange.receive(in: Span(), consumed: &consumed)
        }
        if heard != expected { return "hears \(heard)" }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  private mutating func send(_ limit: Int) throws(HTTP1Error) -> String {
    var bytes: [UInt8] = []
    let head = Array(Dialogue.head.utf8)
    while !exchange.outgoing.isEmpty, bytes.count < limit {
      var some: [UInt8] = []
      exchange.outgoing.withSegments(head: head.span, piece: piece.span) { head, prefix, piece, suffix in
        some = [UInt8](joining: head, prefix, piece, suffix)
      }
      guard some.count == exchange.outgoing.count else { return "another count" }
      let count = min(some.count, cut.client, limit - bytes.count)
      bytes += some[..<count]
      try exchange.sent(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func hear(_ bytes: [UInt8]) -> [Dialogue.Heard] {
    var ends = Array(1...max(1, bytes.count))
    if let split = cut.server { ends = [min(max(split - said, 0), bytes.count), bytes.count] }
    said += bytes.count
    var start = 0
    var heard: [Dialogue.Heard] = []
    for end in ends {
      unread += bytes[start..<end]
      start = end
      take(into: &heard, inputFollows: cut.knowsWhatFollows && end < bytes.count)
    }
    return heard
  }

  private mutating func take(into heard: inout [Dialogue.Heard], inputFollows: Bool) {
    var consumed = 0
    defer { self.unread.removeFirst(consumed) }
    // What a span lends must not change meanwhile.
    let unread = unread
    while true {
      let action: HTTP1Exchange.Action
      do throws(HTTP1Error) {
        action = try exchange.receive(in: unread.span, consumed: &consumed, inputFollows: inputFollows)
      } catch {
        if heard.last != .refused(error.rule) { heard.append(.refused(error.rule)) }
        return
      }
      switch (translated(action, rest: unread[consumed...]), heard.last) {
      case (.needsMore, _): return
      case (.body(let text), .body(let before)): heard[heard.count - 1] = .body(before + text)
      // The end may be told again, if it has become worse.
      case (.close(let reason), .reuse): heard[heard.count - 1] = .close(reason)
      case (.upgrade(let rest), .upgrade): heard[heard.count - 1] = .upgrade(rest: rest)
      case (.reuse, .reuse): break
      case (.close(let reason), .close(let before)) where reason == before: break
      case (let next, _): heard.append(next)
      }
      switch action {
      case .end, .upgrade: return
      default: break
      }
    }
  }

  private func translated(_ action: HTTP1Exchange.Action, rest: ArraySlice<UInt8>) -> Dialogue.Heard {
    switch action {
    case .needsMore: .needsMore
    case .interim(let status): exchange.head.status == status ? .interim(status) : .interim(0)
    case .head: .head(exchange.head.status)
    case .body(let range): .body(String(decoding: unread[range], as: UTF8.self))
    case .end(.reuse): .reuse
    case .end(.close(let reason)): .close(reason)
    case .upgrade: .upgrade(rest: String(decoding: rest, as: UTF8.self))
    }
  }

  private mutating func heard(
    _ action: (inout HTTP1Exchange) throws(HTTP1Error) -> HTTP1Exchange.Action
  ) -> Dialogue.Heard {
    do throws(HTTP1Error) {
      let said = try action(&exchange)
      return translated(said, rest: [])
    } catch {
      return .refused(error.rule)
    }
  }
}

extension Array where Element == UInt8 {
  init(_ span: Span<UInt8>) {
    self = span.indices.map { span[$0] }
  }
}

extension [UInt8] {
  /// What is sent in one go. Copied as a whole: unoptimised, `Array` would take byte by byte.
  init(joining head: Span<UInt8>, _ prefix: Span<UInt8>, _ piece: Span<UInt8>, _ suffix: Span<UInt8>) {
    self = []
    head.withUnsafeBufferPointer { append(contentsOf: $0) }
    prefix.withUnsafeBufferPointer { append(contentsOf: $0) }
    piece.withUnsafeBufferPointer { append(contentsOf: $0) }
    suffix.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
