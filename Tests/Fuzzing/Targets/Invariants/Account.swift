// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// All that a parser said about one input, to be compared with `==`.
struct Account: Equatable {
  struct Section: Equatable {
    var line: [String] = []
    var fields: [[UInt8]] = []
  }

  enum Ending: Equatable {
    case open
    case complete
    case refused(HTTP1Error)
  }

  var sections: [Section] = []
  var body: [UInt8] = []
  var ending = Ending.open
  /// Bytes taken, unless they were refused.
  var consumed = 0
  /// A rule of the parser's own contract that it broke.
  var breach: String?

  static func fields(of block: FieldBlock) -> [[UInt8]] {
    block.indices.flatMap { index in
      [
        block.withName(at: index) { bytes in bytes.indices.map { bytes[$0] } },
        block.withValue(at: index) { bytes in bytes.indices.map { bytes[$0] } },
      ]
    }
  }
}

/// One event, whichever parser it came from.
enum Step {
  case needsMore
  case section(Account.Section)
  case body(Range<Int>)
  case end(Account.Section)
}

/// A parser as the loop below sees it.
protocol Reader {
  mutating func step(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Step
  /// The peer closed: what the message looks like then.
  mutating func close() throws(HTTP1Error) -> Account.Section
}

extension Reader {
  /// Feeds `wire` up to each of `ends` in turn. Every piece lies in memory of its own that ends with it, where the
  /// sanitizer sees a byte read too many, and behind as many bytes of somebody else's as `offset` says.
  mutating func account(of wire: [UInt8], ends: [Int], offset: Int = 0, closes: Bool) -> Account {
    let others = [UInt8](repeating: UInt8(ascii: "X"), count: offset)
    var account = Account()
    do throws(HTTP1Error) {
      for end in ends {
        if try feed(others + wire[account.consumed..<end], from: offset, to: &account) { return account }
        if account.breach != nil { return account }
      }
      if closes {
        account.sections.append(try close())
        account.ending = .complete
      }
    } catch {
      account.ending = .refused(error)
      account.consumed = 0
      account.breach = breach(of: error, count: wire.count) ?? account.breach
    }
    return account
  }

  private mutating func feed(
    _ piece: [UInt8], from offset: Int, to account: inout Account
  ) throws(HTTP1Error) -> Bool {
    var consumed = offset
    // Every event but the last takes bytes, or is the head or the end: the cost is bounded by the input.
    for _ in 0..<piece.count + 3 {
      let before = consumed
      let step = try step(in: piece.span, consumed: &consumed)
      guard before <= consumed, consumed <= piece.count else {
        account.breach = "consumed \(before) to \(consumed) of \(piece.count)"
        return false
      }
      switch step {
      case .needsMore:
        account.consumed += consumed - offset
        return false
      case .section(let section):
        account.sections.append(section)
      case .body(let range):
        guard !range.isEmpty, range.lowerBound >= before, range.upperBound == consumed else {
          account.breach = "body \(range) of \(before)..<\(consumed)"
          return false
        }
        account.body += piece[range]
      case .end(let section):
        account.sections.append(section)
        account.ending = .complete
        account.consumed += consumed - offset
        return true
      }
    }
    account.breach = "more events than bytes"
    return false
  }

  /// An error stays, names the peer, and points into the input.
  private mutating func breach(of error: HTTP1Error, count: Int) -> String? {
    guard error.fault == .peer, (0...count).contains(error.offset) else {
      return "\(error) of \(count) bytes"
    }
    var consumed = 0
    do throws(HTTP1Error) {
      _ = try step(in: [10, 13, 10].span, consumed: &consumed)
    } catch let second {
      return second == error && consumed == 0 ? nil : "then \(second) after \(error)"
    }
    return "goes on after \(error)"
  }
}
