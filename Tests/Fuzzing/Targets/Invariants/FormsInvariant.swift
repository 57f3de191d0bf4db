// SPDX-License-Identifier: MIT

// Any body gives the pairs of a form or none, at bounded cost, and a form that was encoded is decoded to what it was.

import Bluebonnet

@testable import BluebonnetOrigin

enum FormsInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let body =
      selector == 0xFF && input.count <= 16 ? Text.repeated(input[1...], limit: 1 << 14) : Array(input[1...])
    switch selector & 3 {
    case 0: return encoded(body, spaces: selector & 4 == 0 ? .percentEscaped : .plusReplaced)
    case 1:
      _ = FormBody.pairs(body, contentType: "multipart/form-data; boundary=b")
      return nil
    case 2:
      _ = FormBody.pairs(body, contentType: "application/json")
      return nil
    default:
      // The body says itself what it is.
      let line = body.prefix { $0 != 10 }
      _ = FormBody.pairs(Array(body.dropFirst(line.count + 1)), contentType: Text.of(line))
      return encoded(body, spaces: .percentEscaped)
    }
  }

  private static func encoded(
    _ body: [UInt8], spaces: URLEncodedFormEncoder.SpaceEncoding
  ) -> String? {
    guard let pairs = FormBody.pairs(body, contentType: "application/x-www-form-urlencoded") else {
      return nil
    }
    if pairs.count > body.count { return "\(pairs.count) pairs of \(body.count) bytes" }
    // Equal keys have one place in a dictionary; bytes decide, as on the wire.
    var form: [String: String] = [:]
    for pair in pairs { form[pair.name] = pair.value }
    let encoder = URLEncodedFormEncoder(spaceEncoding: spaces)
    guard let text: String = try? encoder.encode(form) else { return "\(form) can't be encoded" }
    let isPlain = text.utf8.allSatisfy { byte in
      byte > 32 && byte < 127 && !"\"#<>[]{}|\\^`".utf8.contains(byte)
    }
    guard isPlain else { return "bare characters in \(text)" }
    let again =
      form.isEmpty ? [] : FormBody.pairs(Array(text.utf8), contentType: "application/x-www-form-urlencoded")
    guard let again, again.count == form.count else { return "\(text) is no form of \(form.count) pairs" }
    for pair in again where !(form[pair.name].map { $0.utf8.elementsEqual(pair.value.utf8) } ?? false) {
      return "\(pair) came from \(form)"
    }
    return nil
  }
}
