// SPDX-License-Identifier: MIT

// Any bytes that answer CONNECT open the tunnel, refuse it or break a documented rule, the same at every split; what follows an
// open tunnel's head is left to whoever goes on.

import BluebonnetHTTP1

@testable import BluebonnetProxies

/// The first byte says how strict the parser is and whether limits are tight, the second where the bytes are cut.
enum TunnelInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let wire = Array(input[2...])
    var whole: Account?
    for piece in [Int.max, 1, Int(input[1]) % 29 + 2] {
      let account = account(of: wire, input[0], piece: piece)
      guard let whole else {
        whole = account
        continue
      }
      if account != whole { return "in pieces of \(piece): \(account) instead of \(whole)" }
    }
    guard let whole else { return nil }
    if whole.events.count > wire.count + 2 { return "\(whole.events.count) events of \(wire.count) bytes" }
    if whole.isOpen, !(200...299).contains(whole.events.last ?? 0) {
      return "a tunnel was opened by \(whole.events)"
    }
    return nil
  }

  private struct Account: Equatable {
    /// The heads' statuses.
    var events: [Int] = []
    var isOpen = false
    var mayAskAgain: Bool?
    var failure: HTTP1Error.Rule?
    /// What is the target's.
    var rest: [UInt8] = []
  }

  private static func account(of wire: [UInt8], _ selector: UInt8, piece: Int) -> Account {
    let limits =
      selector & 2 == 0
      ? ParserLimits.default : ParserLimits(headBytes: 100, fieldCount: 3, interimResponses: 2)
    var exchange = TunnelExchange(
      to: "host.test", port: 443, fields: [], mode: selector & 1 == 0 ? .strict : .tolerant, limits: limits)
    var account = Account()
    guard let head = try? exchange.start(authorization: nil), (try? exchange.sent(head)) != nil else {
      return account
    }
    var pending: [UInt8] = []
    var start = 0
    var isOver = false
    do throws(HTTP1Error) {
      while start < wire.count, !isOver {
        let end = min(wire.count, piece == .max ? wire.count : start + piece)
        pending += wire[start..<end]
        start = end
        isOver = try play(&exchange, &pending, &account)
      }
      if !isOver, case .end(let mayAskAgain) = try exchange.peerEnded() { account.mayAskAgain = mayAskAgain }
    } catch {
      account.failure = error.rule
    }
    if account.isOpen { account.rest = pending + wire[start...] }
    // Whether more follows an end is known only where it has come.
    if account.mayAskAgain == true, start < wire.count || !pending.isEmpty { account.mayAskAgain = false }
    return account
  }

  /// - Returns: Whether it is over.
  private static func play(
    _ exchange: inout TunnelExchange, _ pending: inout [UInt8], _ account: inout Account
  ) throws(HTTP1Error) -> Bool {
    while true {
      var consumed = 0
      let action = try exchange.receive(in: pending.span, consumed: &consumed)
      pending.removeFirst(consumed)
      switch action {
      case .needsMore: return false
      case .interim(let head), .refused(let head): account.events.append(head.status)
      case .open(let head):
        account.events.append(head.status)
        account.isOpen = true
        return true
      case .end(let mayAskAgain):
        account.mayAskAgain = mayAskAgain
        return true
      }
    }
  }
}
