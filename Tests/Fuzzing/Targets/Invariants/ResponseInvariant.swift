// SPDX-License-Identifier: MIT

// Any bytes give a response or a documented error, at bounded cost, equal at every split.

import BluebonnetHTTP1

/// Besides: an accepted head passes through the encoder and back unchanged; strict mode repairs nothing, tolerant mode
/// nothing that it would not say, and what was repaired is the last of its connection.
enum ResponseInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let circumstances = Circumstances(input) else { return nil }
    let kind = circumstances.kind
    let (violation, whole) = circumstances.disagreement(
      { ResponseParser(toMethod: kind, mode: $0, limits: circumstances.limits) },
      reset: { $0.reset(toMethod: kind) })
    if let violation { return violation }
    if let problem = tolerance(circumstances) { return problem }
    guard !whole.sections.isEmpty else { return nil }
    var parser = ResponseParser(toMethod: kind, mode: circumstances.mode, limits: circumstances.limits)
    var consumed = 0
    do throws(HTTP1Error) {
      _ = try parser.next(in: circumstances.wire.span, consumed: &consumed)
    } catch {
      return "refuses the first head only sometimes"
    }
    if let problem = FieldsInvariant.violation(parser.head.fields, mode: circumstances.mode) {
      return problem
    }
    return roundTrip(parser.head, mode: circumstances.mode)
  }

  private static func tolerance(_ circumstances: Circumstances) -> String? {
    func read(_ mode: ParsingMode) -> (parser: ResponseParser, account: Account) {
      var parser = ResponseParser(toMethod: circumstances.kind, mode: mode, limits: circumstances.limits)
      let wire = circumstances.wire
      let account = parser.account(of: wire, ends: [wire.count], closes: circumstances.closes)
      return (parser, account)
    }
    let (strict, tolerant) = (read(.strict), read(.tolerant))
    if !strict.parser.repairs.isEmpty { return "strict mode repairs \(strict.parser.repairs)" }
    let repairs = tolerant.parser.repairs
    if repairs.isEmpty {
      return strict.account == tolerant.account ? nil : "\(tolerant.account) without a repair"
    }
    let known: [HTTP1Error.Rule] = [.bareLF, .foldedField, .whitespaceBeforeColon, .invalidReason]
    if !Set(repairs.rules).isSubset(of: known) { return "tolerant mode repairs \(repairs)" }
    if tolerant.parser.keepsConnection || tolerant.parser.isUpgraded {
      return "the connection is used after \(repairs)"
    }
    guard case .refused(let error) = strict.account.ending else {
      return "strict mode takes what needs \(repairs)"
    }
    // A line that is too long is so in both, whatever stands in it.
    if repairs.contains(error.rule) || tolerant.account.ending == strict.account.ending { return nil }
    return "strict mode finds \(error), tolerant mode \(repairs)"
  }

  private static func roundTrip(_ head: ResponseHead, mode: ParsingMode) -> String? {
    var encoder = ResponseEncoder()
    var copy = ResponseParser(toMethod: .head, mode: .lenient)
    var consumed = 0
    do throws(HTTP1Error) {
      try encoder.begin(status: head.status, reason: head.reason, minorVersion: head.minorVersion)
      for field in head.fields { try encoder.field(field.name, field.value) }
      encoder.end()
    } catch {
      // What lenient mode lets pass may be refused: control bytes.
      return mode == .lenient ? nil : "what was accepted can't be sent: \(error)"
    }
    do throws(HTTP1Error) {
      _ = try copy.next(in: encoder.bytes.span, consumed: &consumed)
    } catch {
      return "the encoded head is refused: \(error)"
    }
    let other = copy.head
    guard consumed == encoder.bytes.count, other.status == head.status, other.reason == head.reason,
      other.minorVersion == head.minorVersion, other.fields.elementsEqual(head.fields, by: ==)
    else { return "the encoded head is another" }
    return nil
  }
}
