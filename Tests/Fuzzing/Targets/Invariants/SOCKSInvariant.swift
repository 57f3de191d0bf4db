// SPDX-License-Identifier: MIT

// Any bytes of a proxy's bring the handshake to an end or an error, the same at every split, and none is taken that is not the
// handshake's.

@testable import BluebonnetProxies

/// The first byte says what is asked for and as whom, the second where the bytes are cut.
enum SOCKSInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let wire = Array(input[2...])
    var whole: Account?
    for piece in [Int.max, 1, Int(input[1]) % 13 + 2] {
      guard let account = account(of: wire, input[0], piece: piece) else { return nil }
      if let breach = account.breach { return breach }
      guard let whole else {
        whole = account
        continue
      }
      if account != whole { return "in pieces of \(piece): \(account) instead of \(whole)" }
    }
    return nil
  }

  private struct Account: Equatable {
    var sent: [[UInt8]] = []
    var taken = 0
    var isDone = false
    var failure: SOCKSError?
    var breach: String?
  }

  private static func account(of wire: [UInt8], _ selector: UInt8, piece: Int) -> Account? {
    let schemes: [ProxyServer.Scheme] = [.socks4, .socks4a, .socks5, .socks5h]
    let scheme = schemes[Int(selector & 3)]
    let target = SOCKSTarget(
      host: selector & 4 == 0 || scheme == .socks4 ? "192.0.2.1" : "host.test", port: 443)
    let credentials = selector & 8 == 0 ? nil : ProxyServer.Credentials(user: "me", password: "pw")
    guard var machine = try? SOCKSHandshake(scheme, to: target, credentials: credentials) else { return nil }
    var account = Account(sent: [machine.start])
    var pending: [UInt8] = []
    var start = 0
    while start < wire.count, !account.isDone, account.failure == nil {
      let end = min(wire.count, piece == .max ? wire.count : start + piece)
      pending += wire[start..<end]
      start = end
      if let breach = play(&machine, &pending, &account) {
        account.breach = breach
        break
      }
    }
    // The longest reply names a host of 255 bytes.
    if account.taken > 2 + 2 + 262 { account.breach = "\(account.taken) bytes were taken" }
    return account
  }

  private static func play(
    _ machine: inout SOCKSHandshake, _ pending: inout [UInt8], _ account: inout Account
  ) -> String? {
    for _ in 0...4 {
      var consumed = 0
      var action: SOCKSHandshake.Action?
      do throws(SOCKSError) {
        action = try machine.receive(pending.span, consumed: &consumed)
      } catch {
        account.failure = error
      }
      account.taken += consumed
      pending.removeFirst(consumed)
      switch action {
      case .send(let bytes): account.sent.append(bytes)
      case .done:
        account.isDone = true
        return machine.bytesWanted == 0 ? nil : "it wants more when it is done"
      case .needsMore: return machine.bytesWanted > 0 ? nil : "it needs more and wants nothing"
      case nil: return machine.bytesWanted == 0 ? nil : "it wants more after an error"
      }
    }
    return "it goes on for ever"
  }
}
