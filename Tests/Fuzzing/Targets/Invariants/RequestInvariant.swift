// SPDX-License-Identifier: MIT

// Any bytes give a request or a documented error, at bounded cost, equal at every split.

import BluebonnetHTTP1

/// Besides: an accepted head passes through the encoder and back unchanged.
enum RequestInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let circumstances = Circumstances(input) else { return nil }
    let (violation, whole) = circumstances.disagreement(
      { RequestParser(mode: $0, limits: circumstances.limits) }, reset: { $0.reset() })
    if let violation { return violation }
    guard !whole.sections.isEmpty else { return nil }
    var parser = RequestParser(mode: circumstances.mode, limits: circumstances.limits)
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

  private static func roundTrip(_ head: RequestHead, mode: ParsingMode) -> String? {
    var encoder = RequestEncoder()
    var copy = RequestParser()
    var consumed = 0
    do throws(HTTP1Error) {
      try encoder.begin(method: head.method, target: head.target)
      for field in head.fields { try encoder.field(field.name, field.value) }
      encoder.end()
    } catch {
      return mode == .strict ? "what was accepted can't be sent: \(error)" : nil
    }
    do throws(HTTP1Error) {
      _ = try copy.next(in: encoder.bytes.span, consumed: &consumed)
    } catch {
      // The encoder writes the version that knows Transfer-Encoding, and leaves framing to its caller.
      return nil
    }
    let other = copy.head
    guard consumed == encoder.bytes.count, other.method == head.method, other.target == head.target,
      other.fields.elementsEqual(head.fields, by: ==)
    else { return "the encoded head is another" }
    return nil
  }
}
