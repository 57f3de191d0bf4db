// SPDX-License-Identifier: MIT

// Any bytes are resume data or none; those that are lead to no file but a part, ask for nothing but the rest, and are
// written as they were read. And any answer to such a request is decided about.

@testable import BluebonnetHTTP1
@testable import BluebonnetSemantics

enum ResumeInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let bytes = selector & 1 == 0 ? Array(input[1...]) : signed(Array("bbresume".utf8) + [1] + input[1...])
    if let record = try? ResumeRecord(bytes: bytes) {
      if let problem = violation(record) { return problem }
    }
    return violation(ofAnswer: input[1...])
  }

  private static func violation(_ record: ResumeRecord) -> String? {
    guard let written = record.bytes else { return "it cannot be written" }
    guard let again = try? ResumeRecord(bytes: written), again == record else {
      return "it is read as another"
    }
    for name in [record.location.directory, record.location.name] {
      if name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(0) || name.hasPrefix(".") {
        return "the place \(name)"
      }
    }
    if !record.url.lowercased().hasPrefix("http") { return "the address \(record.url)" }
    if record.point.offset <= 0 || record.point.offset > record.point.total ?? .max {
      return "\(record.point)"
    }
    if ResumablePart.isConditional(record.fields) { return "a condition" }
    for field in record.fields.fields + record.representation + record.point.fields {
      let isToken = !field.name.isEmpty && field.name.utf8.allSatisfy { ByteClass.token.contains($0) }
      if !isToken || field.value.utf8.contains(where: Byte.isForbiddenInValue) { return "\(field)" }
    }
    return nil
  }

  /// The input as the fields of an answer, a line each.
  private static func violation(ofAnswer bytes: ArraySlice<UInt8>) -> String? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(16)
    let names = ["Content-Range", "ETag", "Last-Modified", "Content-Type", "Content-Encoding", "Date"]
    let fields = FieldBlock(zip(0..., lines).map { (names[$0 % names.count], Text.of($1)) })
    let now = 1_700_000_000
    let validators =
      [.entityTag("\"a\""), .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")] as [RangeValidator]
    for validator in validators {
      guard let point = ResumePoint(offset: 10, total: 20, validator: validator) else { return "no point" }
      if case .continue(let end, let total) = point.decide(status: 206, fields) {
        if end <= 10 || end > 20 || total != 20 { return "goes on to \(end) of \(String(describing: total))" }
      }
      if point.decide(status: 416, fields) == .complete { return "complete with ten bytes missing" }
    }
    if let point = ResumablePart.point(
      method: "GET", requestFields: HeaderFields(), status: 200, fields: fields, offset: 1, total: nil,
      now: now)
    {
      // What is asked has to get through the encoder.
      var encoder = RequestEncoder(capacity: 256)
      do throws(HTTP1Error) {
        try encoder.begin(method: "GET", target: "/")
        for field in point.fields { try encoder.field(field.name, field.value) }
      } catch {
        return "\(point.fields) cannot be sent"
      }
    }
    return nil
  }

  /// With the checksum that would be right.
  private static func signed(_ bytes: [UInt8]) -> [UInt8] {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    return bytes + withUnsafeBytes(of: sum.bigEndian) { Array($0) }
  }
}
