// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Drives an exchange by the events that the input names, and watches it.
struct ExchangePlay {
  enum Note: Equatable {
    case began
    case sent([UInt8])
    case interim(Int)
    case head(Int)
    case body([UInt8])
    case end(HTTP1Exchange.Ending)
    case upgrade(rest: Int)
    case refused(HTTP1Error)
    /// The caller did something that makes no sense at that moment.
    case declined(HTTP1Error.Rule)
  }

  private let kind: RequestKind
  private let framing: HTTP1Exchange.RequestFraming
  private let flags: UInt8
  private let head: [UInt8]
  private let closes: Bool
  private let server: [UInt8]
  /// So many of the server's bytes come at once.
  private let pieceLimit: Int

  private var exchange: HTTP1Exchange
  private(set) var notes: [Note] = []
  private(set) var breach: String?
  /// What of the server's bytes has come, and what of that was taken.
  private var arrived = 0
  private var taken = 0
  /// The request as the server sees it, the body as the caller gave it, and the piece that was given last.
  private var sent: [UInt8] = []
  private var body: [UInt8] = []
  private var piece: [UInt8] = []

  init(_ circumstances: Circumstances, request: UInt8, server: [UInt8], piece: Int) {
    kind = circumstances.kind
    closes = circumstances.closes
    flags = request
    framing =
      [.none, .chunked, .length(Int(request >> 5) * 3), .length(Int(request >> 5) + 1)][Int(request & 3)]
    self.server = server
    pieceLimit = piece
    exchange = HTTP1Exchange(mode: circumstances.mode, limits: circumstances.limits)
    var head = kind == .connect ? "CONNECT a:1" : kind == .head ? "HEAD /" : "POST /"
    head += " HTTP/1.1\r\nHost: a\r\n"
    switch framing {
    case .none: break
    case .chunked: head += "Transfer-Encoding: chunked\r\n"
    case .length(let length): head += "Content-Length: \(length)\r\n"
    }
    self.head = Array((head + "\r\n").utf8)
  }

  /// The events, and then whatever it takes to bring the exchange to its end.
  mutating func perform(_ events: ArraySlice<UInt8>) {
    start()
    for event in events where breach == nil { perform(event & 7, Int(event >> 3)) }
    var rounds = 0
    while breach == nil {
      complete()
      hear(server.count)
      guard breach == nil, notes.last == .end(.reuse), arrived < server.count, rounds < 4 else { break }
      rounds += 1
      start()
    }
    if closes, breach == nil { watch { (exchange) throws(HTTP1Error) in try exchange.peerEnded() } }
  }

  private mutating func perform(_ event: UInt8, _ amount: Int) {
    switch event {
    case 0: hear(amount * amount / 4 + 1)
    case 1: send(amount == 31 ? .max : amount)
    case 2: lend(amount, isLast: false)
    case 3: if amount & 1 == 0 { lend(0, isLast: true) } else { lend(amount >> 1, isLast: true) }
    case 4: if amount & 1 == 0 { exchange.continueTimedOut() } else { start() }
    case 5: if amount & 1 == 0 { exchange.peerHungUp() } else { arrive(amount) }
    case 6: if amount & 1 == 0 { exchange.sendingFailed() } else { overdo(amount) }
    default: if amount & 1 == 0 { exchange.bodyFailed() } else { exchange.cancel() }
    }
    if exchange.nextToSend == .nothing, !exchange.outgoing.isEmpty { breach = "nothing to send, and bytes" }
  }

  // MARK: - The caller's side

  private mutating func start() {
    let isPossible = exchange.closeReason == nil && (notes.last == .end(.reuse) || notes.isEmpty)
    let (kind, count, framing) = (kind, head.count, framing)
    let (expects, closes, upgrades) = (flags & 4 != 0, flags & 8 != 0, flags & 16 != 0)
    attempt { (exchange) throws(HTTP1Error) in
      try exchange.start(
        kind, headBytes: count, body: framing, expectsContinue: expects, closesConnection: closes,
        offersUpgrade: upgrades)
    }
    if case .declined = notes.last {
      if isPossible { breach = "does not start" }
    } else {
      if !isPossible { breach = "starts behind \(notes)" }
      notes.append(.began)
      (sent, body, piece) = ([], [], [])
    }
  }

  private mutating func send(_ limit: Int) {
    guard !exchange.outgoing.isEmpty else { return }
    var bytes: [UInt8] = []
    exchange.outgoing.withSegments(head: head.span, piece: piece.span) { head, prefix, piece, suffix in
      append(head, to: &bytes)
      append(prefix, to: &bytes)
      append(piece, to: &bytes)
      append(suffix, to: &bytes)
    }
    if bytes.count != exchange.outgoing.count { breach = "another count" }
    let count = min(limit, bytes.count)
    attempt { (exchange) throws(HTTP1Error) in try exchange.sent(count) }
    sent += bytes[..<count]
    notes.append(.sent(Array(bytes[..<count])))
  }

  private func append(_ span: Span<UInt8>, to bytes: inout [UInt8]) {
    for index in span.indices { bytes.append(span[index]) }
  }

  private mutating func lend(_ count: Int, isLast: Bool) {
    let before = notes.count
    attempt { (exchange) throws(HTTP1Error) in
      if count == 0, isLast { try exchange.endBody() } else { try exchange.lend(count, isLast: isLast) }
    }
    guard notes.count == before, count > 0 else { return }
    piece = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ body.count) }
    body += piece
  }

  /// What no caller may do.
  private mutating func overdo(_ amount: Int) {
    let before = notes.count
    attempt { (exchange) throws(HTTP1Error) in
      switch amount & 6 {
      case 0: try exchange.sent(exchange.outgoing.count + 1)
      case 2: try exchange.lend(-1)
      case 4: try exchange.sent(-1)
      default: try exchange.start(.ordinary, headBytes: 0)
      }
    }
    if notes.count == before { breach = "takes what makes no sense" }
  }

  /// Everything is sent, as far as it is wanted.
  private mutating func complete() {
    for _ in 0..<200 where breach == nil {
      switch exchange.nextToSend {
      case .piece(let most):
        if most == .max, !body.isEmpty { lend(0, isLast: true) } else { lend(min(most, 5), isLast: false) }
      case .bytes: send(.max)
      case .awaitsContinue: exchange.continueTimedOut()
      case .nothing: return
      }
    }
    if breach == nil { breach = "the request has no end" }
  }

  /// An error of the caller's leaves everything as it was.
  private mutating func attempt(_ action: (inout HTTP1Exchange) throws(HTTP1Error) -> Void) {
    let before = (exchange.nextToSend, exchange.outgoing.count, exchange.closeReason)
    do throws(HTTP1Error) {
      try action(&exchange)
    } catch {
      if error.fault != .caller { breach = "\(error) is the caller's" }
      if before != (exchange.nextToSend, exchange.outgoing.count, exchange.closeReason) {
        breach = "changed by \(error)"
      }
      notes.append(.declined(error.rule))
    }
  }

  // MARK: - The server's side

  private mutating func arrive(_ count: Int) {
    arrived = min(arrived + count, server.count)
  }

  private mutating func hear(_ count: Int) {
    let end = min(arrived + count, server.count)
    repeat {
      arrived = min(end, pieceLimit == .max ? end : arrived + pieceLimit)
      take()
    } while arrived < end && breach == nil
  }

  private mutating func take() {
    // Memory that ends with the input, where the sanitizer sees a byte read too many.
    let unread = Array(server[taken..<arrived])
    var consumed = 0
    for _ in 0..<unread.count + 3 where breach == nil {
      let before = consumed
      let action = watch { (exchange) throws(HTTP1Error) in
        try exchange.receive(in: unread.span, consumed: &consumed)
      }
      guard before <= consumed, consumed <= unread.count else { return breach = "consumed \(consumed)" }
      taken += consumed - before
      if action == .end(.reuse), breach == nil { breach = leftover }
      switch action {
      case .body(let range)?:
        guard !range.isEmpty, range.lowerBound >= before, range.upperBound == consumed else {
          return breach = "body \(range) of \(before)..<\(consumed)"
        }
        note(body: unread[range])
      case .needsMore?, .end?, .upgrade?, nil: return
      case .interim?, .head?: break
      }
    }
    if breach == nil { breach = "more actions than bytes" }
  }

  private mutating func note(body bytes: ArraySlice<UInt8>) {
    if case .body(let known)? = notes.last {
      notes[notes.count - 1] = .body(known + bytes)
    } else {
      notes.append(.body(Array(bytes)))
    }
  }

  @discardableResult
  private mutating func watch(
    _ action: (inout HTTP1Exchange) throws(HTTP1Error) -> HTTP1Exchange.Action
  ) -> HTTP1Exchange.Action? {
    do throws(HTTP1Error) {
      let action = try action(&exchange)
      switch action {
      case .needsMore, .body: break
      case .interim(let status): notes.append(.interim(status))
      case .head: notes.append(.head(exchange.head.status))
      case .end(let ending): note(ending)
      case .upgrade: noteUpgrade()
      }
      return action
    } catch {
      if error.fault != .peer || error.offset > server.count { breach = "\(error) of \(server.count) bytes" }
      if exchange.closeReason != .failed { breach = "\(error) is no reason to close" }
      if notes.last != .refused(error) { notes.append(.refused(error)) }
      return nil
    }
  }

  private mutating func note(_ ending: HTTP1Exchange.Ending) {
    let known = notes.lastIndex { if case .end = $0 { true } else { false } }
    let began = notes.lastIndex(of: .began)
    guard let known, known > began ?? -1 else { return notes.append(.end(ending)) }
    switch (notes[known], ending) {
    case (.end(let before), _) where before == ending: break
    case (.end(.reuse), .close):
      notes.remove(at: known)
      notes.append(.end(ending))
    default: breach = "\(ending) behind \(notes[known])"
    }
  }

  /// What speaks against reuse: bytes that are left, and what an independent reader finds wrong with the request.
  private var leftover: String? {
    if taken < arrived { return "reuse with \(arrived - taken) bytes left" }
    if !exchange.outgoing.isEmpty { return "reuse with bytes to send" }
    if flags & 8 != 0 { return "reuse though the request closes" }
    var parser = RequestParser()
    var consumed = 0
    var received: [UInt8] = []
    do throws(HTTP1Error) {
      while true {
        switch try parser.next(in: sent.span, consumed: &consumed) {
        case .needsMore: return "reuse with half a request: \(sent)"
        case .head: break
        case .body(let range): received += sent[range]
        case .end:
          if consumed < sent.count { return "reuse with more than a request: \(sent)" }
          return received == body ? nil : "the body \(received) instead of \(body)"
        }
      }
    } catch {
      return "sends \(error)"
    }
  }

  private mutating func noteUpgrade() {
    guard kind == .connect || flags & 16 != 0 else { return breach = "an upgrade that nobody wanted" }
    guard exchange.isRequestComplete else { return breach = "an upgrade within the request" }
    if case .upgrade? = notes.last { notes.removeLast() }
    notes.append(.upgrade(rest: server.count - taken))
  }
}
