// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension Circumstances {
  /// What is wrong with the readers that `make` makes: their account of `wire` must not depend on where it is cut, on
  /// what stands behind it, on what the reader read before, or, if a mode accepts it, on a more permissive one.
  func disagreement<R: Reader>(
    _ make: (ParsingMode) -> R, reset: (inout R) -> Void
  ) -> (violation: String?, whole: Account) {
    var reader = make(mode)
    let whole = reader.account(of: wire, ends: [wire.count], closes: closes)
    if let breach = whole.breach { return (breach, whole) }
    for ends in feedings {
      var other = make(mode)
      let account = other.account(of: wire, ends: ends, offset: Int(cuts) % 5, closes: closes)
      if account != whole { return ("cut at \(ends.prefix(40)): \(account) instead of \(whole)", whole) }
    }
    reset(&reader)
    let again = reader.account(of: wire, ends: [wire.count], closes: closes)
    if again != whole { return ("after a reset: \(again) instead of \(whole)", whole) }
    if isDecided(whole) {
      var other = make(mode)
      let more = wire + Array("\0GET / \r\n".utf8)
      let account = other.account(of: more, ends: [more.count], closes: false)
      if account != whole { return ("with bytes behind it: \(account) instead of \(whole)", whole) }
    }
    for wider in mode.wider where whole.ending == .complete {
      var other = make(wider)
      let account = other.account(of: wire, ends: [wire.count], closes: closes)
      if account != whole { return ("in \(wider) mode: \(account) instead of \(whole)", whole) }
    }
    return (nil, whole)
  }

  /// Whether bytes behind `wire` have no say.
  private func isDecided(_ account: Account) -> Bool {
    switch account.ending {
    case .open: false
    case .complete: !closes || account.consumed < wire.count
    case .refused(let error): error.rule != .truncatedHead && error.rule != .truncatedBody
    }
  }
}

extension ParsingMode {
  /// The modes that accept all that this one does.
  fileprivate var wider: [ParsingMode] {
    switch self {
    case .strict: [.tolerant, .lenient]
    case .tolerant: [.lenient]
    case .lenient: []
    }
  }
}
