// SPDX-License-Identifier: MIT

/// The parts of a `multipart/form-data` body (RFC 7578), as far as they are text.
enum MultipartBody {
  static func pairs(_ body: [UInt8], boundary: String) -> [(name: String, value: String)]? {
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter has no line before it; giving it one makes all of them alike.
    let body = [0x0D, 0x0A] + body
    guard var position = end(of: delimiter, in: body, from: 0) else { return nil }
    var pairs: [(name: String, value: String)] = []
    while !body[position...].starts(with: Array("--".utf8)) {
      guard let next = end(of: delimiter, in: body, from: position),
        let pair = part(body[position..<next - delimiter.count])
      else { return nil }
      pairs.append(pair)
      position = next
    }
    return pairs
  }

  private static func part(_ part: ArraySlice<UInt8>) -> (name: String, value: String)? {
    let bytes = Array(part)
    guard let headEnd = end(of: Array("\r\n\r\n".utf8), in: bytes, from: 0),
      let value = String(validating: bytes[headEnd...], as: UTF8.self)
    else { return nil }
    for line in String(decoding: bytes[..<headEnd], as: UTF8.self).split(whereSeparator: \.isNewline) {
      let field = line.split(separator: ":", maxSplits: 1)
      guard field.count == 2, field[0].lowercased() == "content-disposition" else { continue }
      return FieldParameters(String(field[1]))["name"].map { ($0, value) }
    }
    return nil
  }

  private static func end(of needle: [UInt8], in haystack: [UInt8], from start: Int) -> Int? {
    guard let first = needle.first else { return nil }
    var index = start
    while index + needle.count <= haystack.count {
      if haystack[index] == first, haystack[index..<index + needle.count].elementsEqual(needle) {
        return index + needle.count
      }
      index += 1
    }
    return nil
  }
}
