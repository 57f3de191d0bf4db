// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetSemantics

/// A server's side of NTLMv2 on one connection (MS-NLMP §3.2.5): the messages of a client in, what it is told out.
///
///     fresh ──first message──▶ challenged ──third, right──▶ accepted
///       ▲                          │
///       └──────third, wrong────────┘
struct NTLMAcceptor {
  enum Step: Equatable {
    /// Nothing has been proved: the challenge of this value goes out with a 401.
    case refuse(String)
    case accept
  }

  private enum State {
    case fresh
    case challenged(first: [UInt8], second: [UInt8], number: [UInt8])
    case accepted
  }

  let user: String
  let password: String
  private var state = State.fresh

  init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// - Parameters:
  ///   - field: The value of `Authorization`, if there is one.
  ///   - number: Eight random bytes.
  ///   - now: In seconds since 1970.
  mutating func receive(_ field: String?, number: [UInt8], now: Int) -> Step {
    guard let message = field.flatMap(Self.message) else {
      if case .accepted = state { return .accept }
      state = .fresh
      return .refuse("NTLM")
    }
    switch (state, message[8]) {
    case (_, 1):
      let second = Self.challenge(number, now: now)
      state = .challenged(first: message, second: second, number: number)
      return .refuse("NTLM " + Base64.encode(second))
    case (.challenged(let first, let second, let number), 3):
      guard proves(message, first, second, number) else { break }
      state = .accepted
      return .accept
    default: break
    }
    state = .fresh
    return .refuse("NTLM")
  }

  private static func message(_ field: String) -> [UInt8]? {
    let parts = field.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "ntlm", let bytes = Base64.decode(parts[1]),
      bytes.count >= 12, bytes.starts(with: "NTLMSSP\u{0}".utf8)
    else { return nil }
    return bytes
  }

  /// A CHALLENGE_MESSAGE with the server's names and the time, so that the client has to send a code over all messages.
  private static func challenge(_ number: [UInt8], now: Int) -> [UInt8] {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func attribute(_ id: UInt64, _ value: [UInt8]) -> [UInt8] {
      little(id, 2) + little(UInt64(value.count), 2) + value
    }
    let name = bytes("BLUEBONNET")
    let time = (UInt64(clamping: now) + 11_644_473_600) * 10_000_000
    let information =
      attribute(2, name) + attribute(1, bytes("ORIGIN")) + attribute(7, little(time, 8)) + attribute(0, [])
    var message = Array("NTLMSSP\u{0}".utf8) + little(2, 4)
    message += little(UInt64(name.count), 2) + little(UInt64(name.count), 2) + little(56, 4)
    message += little(0xE289_8205, 4) + number + little(0, 8)
    message += little(UInt64(information.count), 2) + little(UInt64(information.count), 2)
    message += little(UInt64(56 + name.count), 4) + [10, 0, 0, 0, 0, 0, 0, 15]
    return message + name + information
  }

  /// §3.2.5.1.2: the proof of the password, and the code over all three messages.
  private func proves(_ third: [UInt8], _ first: [UInt8], _ second: [UInt8], _ number: [UInt8]) -> Bool {
    guard third.count >= 88, let answer = Self.field(third, at: 20), answer.count > 44,
      let domain = Self.field(third, at: 28), let name = Self.field(third, at: 36),
      Self.text(name) == user
    else { return false }
    let upper = Self.bytes(Self.text(name).uppercased())
    guard let key = HMACMD5.code(upper + domain, key: MD4.digest(Self.bytes(password))),
      let proof = HMACMD5.code(number + answer[16...], key: key), proof == Array(answer[..<16]),
      let session = HMACMD5.code(proof, key: key)
    else { return false }
    var blank = third
    for index in 72..<88 { blank[index] = 0 }
    return HMACMD5.code(first + second + blank, key: session) == Array(third[72..<88])
  }

  private static func field(_ message: [UInt8], at place: Int) -> [UInt8]? {
    let length = Int(message[place]) | Int(message[place + 1]) << 8
    let start = Int(message[place + 4]) | Int(message[place + 5]) << 8
    guard start + length <= message.count else { return nil }
    return Array(message[start..<(start + length)])
  }

  private static func text(_ wide: [UInt8]) -> String {
    let units = stride(from: 0, to: wide.count & ~1, by: 2).map {
      UInt16(wide[$0]) | UInt16(wide[$0 + 1]) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func bytes(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
