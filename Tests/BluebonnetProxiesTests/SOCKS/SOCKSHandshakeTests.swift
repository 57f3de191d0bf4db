// SPDX-License-Identifier: MIT
import BluebonnetProxies
import Testing

@Suite("SOCKS")
struct SOCKSHandshakeTests {
  private static let user = ProxyServer.Credentials(user: "me", password: "pw")

  /// A whole conversation: what is sent, and how it ends.
  struct Outcome: Equatable {
    var sent: [[UInt8]] = []
    var consumed = 0
    var ending = "more"
  }

  private static func play(_ machine: SOCKSHandshake, _ pieces: [[UInt8]]) -> Outcome {
    var machine = machine
    var outcome = Outcome(sent: [machine.start])
    var pending: [UInt8] = []
    do throws(SOCKSError) {
      for piece in pieces {
        pending += piece
        while true {
          var consumed = 0
          let action: SOCKSHandshake.Action
          do throws(SOCKSError) {
            action = try machine.receive(pending.span, consumed: &consumed)
          } catch {
            outcome.consumed += consumed
            throw error
          }
          outcome.consumed += consumed
          pending.removeFirst(consumed)
          if case .send(let bytes) = action {
            outcome.sent.append(bytes)
            continue
          }
          if action == .done {
            outcome.ending = "done"
            return outcome
          }
          break
        }
      }
    } catch {
      outcome.ending = "\(error)"
      var consumed = 0
      #expect(throws: error) { () throws(SOCKSError) in try machine.receive([0, 0].span, consumed: &consumed)
      }
      #expect(consumed == 0 && machine.bytesWanted == 0)
    }
    return outcome
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var scheme: ProxyServer.Scheme
    var target: SOCKSTarget
    var credentials: ProxyServer.Credentials?
    var input: [UInt8]
    var sent: [[UInt8]]
    var ending = "done"
    /// Bytes of the input that are the target's.
    var rest = 0
    var testDescription: String { name }
  }

  private static let v4 = SOCKSTarget(host: "192.0.2.7", port: 443)
  private static let v6 = SOCKSTarget(host: "2001:db8::1", port: 80)
  private static let name = SOCKSTarget(host: "host.test", port: 8080)
  private static let hostName = Array("host.test".utf8)
  private static let granted4: [UInt8] = [0, 90, 0, 0, 0, 0, 0, 0]
  private static let granted5: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

  static let rows: [Row] =
    [
      Row(
        name: "4, an address", scheme: .socks4, target: v4, input: granted4 + [1, 2, 3],
        sent: [[4, 1, 1, 187, 192, 0, 2, 7, 0]], rest: 3),
      Row(
        name: "4, as somebody", scheme: .socks4, target: v4, credentials: user, input: granted4,
        sent: [[4, 1, 1, 187, 192, 0, 2, 7] + "me".utf8 + [0]]),
      Row(
        name: "4a, a name", scheme: .socks4a, target: name, input: granted4,
        sent: [[4, 1, 31, 144, 0, 0, 0, 1, 0] + hostName + [0]]),
      Row(
        name: "4, refused", scheme: .socks4, target: v4, input: [0, 91, 0, 0, 0, 0, 0, 0],
        sent: [[4, 1, 1, 187, 192, 0, 2, 7, 0]], ending: "\(SOCKSError.refused4(91))", rest: 6),
      Row(
        name: "4, no SOCKS", scheme: .socks4, target: v4, input: Array("HTTP/1.1 400 Bad".utf8),
        sent: [[4, 1, 1, 187, 192, 0, 2, 7, 0]],
        ending: "\(SOCKSError.malformed("the reply's version is 72, not 0"))", rest: 15),
      Row(
        name: "5, a name", scheme: .socks5h, target: name, input: [5, 0] + granted5 + [9],
        sent: [[5, 1, 0], [5, 1, 0, 3, 9] + hostName + [31, 144]], rest: 1),
      Row(
        name: "5, an IPv4 address", scheme: .socks5, target: v4, input: [5, 0] + granted5,
        sent: [[5, 1, 0], [5, 1, 0, 1, 192, 0, 2, 7, 1, 187]]),
      Row(
        name: "5, an IPv6 address", scheme: .socks5, target: v6,
        input: [5, 0] + [5, 0, 0, 4] + [UInt8](repeating: 7, count: 18) + [1, 2],
        sent: [[5, 1, 0], [5, 1, 0, 4, 0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 80]],
        rest: 2),
      Row(
        name: "5, the reply names a host", scheme: .socks5h, target: name,
        input: [5, 0] + [5, 0, 0, 3, 3] + "abc".utf8 + [0, 1],
        sent: [[5, 1, 0], [5, 1, 0, 3, 9] + hostName + [31, 144]]),
      Row(
        name: "5, the reply names nobody", scheme: .socks5h, target: name,
        input: [5, 0] + [5, 0, 0, 3, 0, 0, 1, 77],
        sent: [[5, 1, 0], [5, 1, 0, 3, 9] + hostName + [31, 144]], rest: 1),
      Row(
        name: "5, as somebody", scheme: .socks5h, target: name, credentials: user,
        input: [5, 2, 1, 0] + granted5,
        sent: [
          [5, 2, 0, 2], [1, 2] + "me".utf8 + [2] + "pw".utf8, [5, 1, 0, 3, 9] + hostName + [31, 144],
        ]),
      Row(
        name: "5, as somebody, whom nobody asks", scheme: .socks5h, target: name, credentials: user,
        input: [5, 0] + granted5, sent: [[5, 2, 0, 2], [5, 1, 0, 3, 9] + hostName + [31, 144]]),
      Row(
        name: "5, wrong password", scheme: .socks5, target: v4, credentials: user, input: [5, 2, 1, 1],
        sent: [[5, 2, 0, 2], [1, 2] + "me".utf8 + [2] + "pw".utf8], ending: "\(SOCKSError.wrongCredentials)"),
      Row(
        name: "5, no method", scheme: .socks5, target: v4, input: [5, 0xFF], sent: [[5, 1, 0]],
        ending: "\(SOCKSError.noAcceptableMethod(hasCredentials: false))"),
      Row(
        name: "5, no method for somebody", scheme: .socks5, target: v4, credentials: user, input: [5, 0xFF],
        sent: [[5, 2, 0, 2]], ending: "\(SOCKSError.noAcceptableMethod(hasCredentials: true))"),
      Row(
        name: "5, a method nobody offered", scheme: .socks5, target: v4, input: [5, 2], sent: [[5, 1, 0]],
        ending: "\(SOCKSError.malformed("it chose the method 2, which the client did not offer"))"),
      Row(
        name: "5, GSSAPI, which nobody offered", scheme: .socks5, target: v4, credentials: user,
        input: [5, 1],
        sent: [[5, 2, 0, 2]],
        ending: "\(SOCKSError.malformed("it chose the method 1, which the client did not offer"))"),
      Row(
        name: "5, version 4", scheme: .socks5, target: v4, input: [4, 0], sent: [[5, 1, 0]],
        ending: "\(SOCKSError.malformed("the reply's version is 4, not 5"))", rest: 1),
      Row(
        name: "5, no such address", scheme: .socks5, target: v4, input: [5, 0, 5, 0, 0, 9, 1, 1],
        sent: [[5, 1, 0], [5, 1, 0, 1, 192, 0, 2, 7, 1, 187]],
        ending: "\(SOCKSError.malformed("there is no type of address 9"))", rest: 2),
      Row(
        name: "5, not all of it", scheme: .socks5, target: v4, input: [5, 0, 5, 0, 0, 1, 1],
        sent: [[5, 1, 0], [5, 1, 0, 1, 192, 0, 2, 7, 1, 187]], ending: "more"),
    ]
    + (UInt8(1)...9).map { code in
      Row(
        name: "5, reply \(code)", scheme: .socks5, target: v4, input: [5, 0, 5, code],
        sent: [[5, 1, 0], [5, 1, 0, 1, 192, 0, 2, 7, 1, 187]], ending: "\(SOCKSError.refused5(code))")
    }

  @Test("A conversation is the same however it is cut", arguments: rows)
  func conversations(_ row: Row) throws {
    let machine = try SOCKSHandshake(row.scheme, to: row.target, credentials: row.credentials)
    let expected = Outcome(sent: row.sent, consumed: row.input.count - row.rest, ending: row.ending)
    #expect(Self.play(machine, [row.input]) == expected)
    #expect(Self.play(machine, row.input.map { [$0] }) == expected)
    for cut in 0...row.input.count {
      #expect(Self.play(machine, [Array(row.input[..<cut]), Array(row.input[cut...])]) == expected)
    }
  }

  @Test("The peer's end is an error, and stays what it was")
  func ends() throws {
    var machine = try SOCKSHandshake(.socks5, to: Self.v4, credentials: nil)
    var consumed = 0
    #expect(try machine.receive([5].span, consumed: &consumed) == .needsMore)
    #expect(machine.peerEnded() == .closed)
    #expect(throws: SOCKSError.closed) { () throws(SOCKSError) in
      try machine.receive([0].span, consumed: &consumed)
    }
  }

  @Test("What cannot be said is not begun")
  func unsayable() {
    let long = String(repeating: "a", count: 256)
    let rows: [(ProxyServer.Scheme, SOCKSTarget, ProxyServer.Credentials?)] = [
      (.socks4, Self.v6, nil), (.socks4a, Self.v6, nil), (.socks4, Self.name, nil),
      (.socks4, Self.v4, .init(user: "a\0b", password: "")),
      (.socks4, Self.v4, .init(user: long, password: "")),
      (.socks4a, .name("", port: 1), nil), (.socks4a, .name(long, port: 1), nil),
      (.socks4a, .name("a\0", port: 1), nil),
      (.socks5h, .name("", port: 1), nil), (.socks5h, .name(long, port: 1), nil),
      (.socks5, Self.v4, .init(user: long, password: "")),
      (.socks5, Self.v4, .init(user: "", password: long)),
      (.http, Self.v4, nil),
    ]
    for (scheme, target, credentials) in rows {
      #expect(throws: SOCKSError.self, "\(scheme) \(target)") {
        _ = try SOCKSHandshake(scheme, to: target, credentials: credentials)
      }
    }
  }

  @Test("Any bytes come to an end without taking one too many")
  func anyBytes() throws {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for scheme in [ProxyServer.Scheme.socks4, .socks5] {
          var machine = try SOCKSHandshake(scheme, to: Self.v4, credentials: Self.user)
          var consumed = 0
          let wanted = machine.bytesWanted
          _ = try? machine.receive([first, second, 0, 0, 0, 0, 0, 0, 0, 0, 0].span, consumed: &consumed)
          #expect(consumed <= wanted)
        }
      }
    }
  }
}
