// Any bytes give a response or a documented error, at bounded cost, equal at every split.

import BluebonnetHTTP1

/// Besides: an accepted head passes through the encoder and back unchanged.
enum ResponseInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let circumstances = Circumstances(input) else { return nil }
    let kind = circumstances.kind
    let (violation, whole) = circumstances.disagreement(
      { ResponseParser(toMethod: kind, mode: $0, limits: circumstances.limits) },
      reset: { $0.reset(toMethod: kind) })
    if let violation { return violation }
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
    return roundTrip(parser.head)
  }

  private static func roundTrip(_ head: ResponseHead) -> String? {
    var encoder = ResponseEncoder()
    var copy = ResponseParser(toMethod: .head, mode: .lenient)
    var consumed = 0
    do throws(HTTP1Error) {
      try encoder.begin(status: head.status, reason: head.reason, minorVersion: head.minorVersion)
      for field in head.fields { try encoder.field(field.name, field.value) }
      encoder.end()
    } catch {
      // What lenient mode lets pass may be refused: control bytes.
      return nil
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
