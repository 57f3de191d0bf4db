// SPDX-License-Identifier: MIT

// Any texts give a head of exactly these parts or a documented error: nothing can be injected.

import BluebonnetHTTP1

/// The input's parts are separated by NUL NUL: method, target, reason, then names and values by turns.
enum EncodersInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    var parts: [String] = []
    var start = 0
    for index in input.indices.dropLast() where input[index] == 0 && input[index + 1] == 0 && index >= start {
      parts.append(Text.of(input[start..<index]))
      start = index + 2
    }
    parts.append(Text.of(input[start...]))
    guard parts.count >= 3 else { return nil }
    var fields: [(name: String, value: String)] = []
    for index in stride(from: 3, to: parts.count - 1, by: 2) {
      fields.append((parts[index], parts[index + 1]))
    }
    return request(parts[0], parts[1], fields) ?? response(input.first ?? 0, parts[2], fields)
  }

  private static func request(
    _ method: String, _ target: String, _ fields: [(name: String, value: String)]
  ) -> String? {
    var encoder = RequestEncoder()
    do throws(HTTP1Error) {
      try encoder.begin(method: method, target: target)
      for field in fields { try encoder.field(field.name, field.value) }
      encoder.end()
    } catch {
      return error.fault == .caller ? nil : "\(error)"
    }
    var parser = RequestParser()
    var consumed = 0
    do throws(HTTP1Error) {
      _ = try parser.next(in: encoder.bytes.span, consumed: &consumed)
    } catch {
      return isFraming(error, encoder.bytes.count) ? nil : "the parser refuses \(encoder.bytes): \(error)"
    }
    guard consumed == encoder.bytes.count, parser.head.method == method, parser.head.target == target else {
      return "another request line"
    }
    return difference(parser.head.fields, fields)
  }

  private static func response(
    _ selector: UInt8, _ reason: String, _ fields: [(name: String, value: String)]
  ) -> String? {
    var encoder = ResponseEncoder()
    let status = 200 + Int(selector)
    do throws(HTTP1Error) {
      try encoder.begin(status: status, reason: reason)
      for field in fields { try encoder.field(field.name, field.value) }
      encoder.end()
    } catch {
      return error.fault == .caller ? nil : "\(error)"
    }
    var parser = ResponseParser(toMethod: .head)
    var consumed = 0
    do throws(HTTP1Error) {
      _ = try parser.next(in: encoder.bytes.span, consumed: &consumed)
    } catch {
      return isFraming(error, encoder.bytes.count) ? nil : "the parser refuses \(encoder.bytes): \(error)"
    }
    guard consumed == encoder.bytes.count, parser.head.status == status else { return "another status line" }
    return difference(parser.head.fields, fields)
  }

  /// The encoder writes any field; whether a Content-Length makes sense is the caller's matter, and so are limits.
  private static func isFraming(_ error: HTTP1Error, _ count: Int) -> Bool {
    switch error.rule {
    case .tooManyFields, .lineTooLong, .headTooLong: count > 1000
    case .invalidFieldName, .invalidFieldValue, .bareCR, .bareLF, .invalidMethod, .invalidTarget,
      .invalidReason,
      .invalidStatusCode, .unsupportedVersion, .whitespaceBeforeColon, .truncatedHead:
      false
    default: true
    }
  }

  private static func difference(_ block: FieldBlock, _ fields: [(name: String, value: String)]) -> String? {
    guard block.count == fields.count else { return "\(block.count) fields of \(fields.count)" }
    for (read, written) in zip(block, fields) {
      let isSame =
        read.name.utf8.elementsEqual(written.name.utf8)
        && read.value.utf8.elementsEqual(Text.trimmed(written.value).utf8)
      if !isSame { return "\(written) is read as \(read)" }
    }
    return nil
  }
}
