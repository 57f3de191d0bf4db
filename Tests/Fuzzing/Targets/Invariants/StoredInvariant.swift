// SPDX-License-Identifier: MIT

// Any bytes are what the store on disk has written, or none: what is read is written as it was read, and says nothing that would not
// get through the encoders. And a body is the same however it comes and wherever it is read.

import BluebonnetURLLoading

@testable import BluebonnetCache
@testable import BluebonnetHTTP1

enum StoredInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let bytes = Array(input[1...])
    return switch selector % 3 {
    case 0: violation(ofHead: selector & 0x80 == 0 ? signedHead(bytes) : bytes)
    case 1: violation(ofFile: selector & 0x80 == 0 ? file(bytes) : bytes)
    default: violation(ofBody: bytes)
    }
  }

  // MARK: Heads

  private static func violation(ofHead bytes: [UInt8]) -> String? {
    guard let response = try? StoredResponse(encoded: Data(bytes)) else { return nil }
    return violation(of: response)
  }

  private static func violation(of response: StoredResponse) -> String? {
    guard let written = try? response.encoded() else { return "it cannot be written" }
    guard let again = try? StoredResponse(encoded: written), (try? again.encoded()) == written else {
      return "it is read as another"
    }
    guard again.id == response.id, again.key == response.key, again.url == response.url,
      again.variant == response.variant, again.fields == response.fields, again.part == response.part,
      again.bodyLength == response.bodyLength
    else { return "it is read as another" }
    for field in response.fields {
      let isToken = !field.name.isEmpty && field.name.utf8.allSatisfy { ByteClass.token.contains($0) }
      if !isToken || field.value.utf8.contains(where: { [0, 10, 13].contains($0) }) { return "\(field)" }
    }
    if !(0...999).contains(response.status) { return "the status \(response.status)" }
    if let length = response.bodyLength, !(0...(1 << 60)).contains(length) { return "the length \(length)" }
    return nil
  }

  /// With the checksum that would be right.
  private static func signedHead(_ bytes: [UInt8]) -> [UInt8] {
    var writer = FormatWriter()
    writer.add(bytes)
    writer.addChecksum(seed: 0x6865_6164)
    return writer.bytes
  }

  // MARK: Files

  private static func violation(ofFile bytes: [UInt8]) -> String? {
    guard let file = try? VariantFile(bytes) else { return nil }
    guard let written = try? file.bytes(), let again = try? VariantFile(written),
      (try? again.bytes()) == written, again.variants.map(\.body) == file.variants.map(\.body)
    else { return "it is read as another" }
    for variant in file.variants {
      if case .here(let body) = variant.body, Int64(body.count) != variant.length {
        return "a body of another length"
      }
      if let problem = violation(of: variant.response) { return problem }
    }
    return nil
  }

  /// Heads with their checksums, each as long as a byte says, and what is between them, in a frame that is right.
  private static func file(_ bytes: [UInt8]) -> [UInt8] {
    var content = FormatWriter()
    var rest = bytes[...]
    content.add(rest.popFirst() ?? 0)
    while let length = rest.popFirst() {
      let head = signedHead(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
      content.add(UInt32(head.count))
      content.add(head)
      let count = Int(rest.popFirst() ?? 0)
      content.add(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    var file = FormatWriter()
    file.add(Array("bbstore1".utf8))
    file.add(UInt64(24 + content.bytes.count))
    file.add(content.bytes)
    file.addChecksum(seed: 0x66_696C65)
    return file.bytes
  }

  // MARK: Bodies

  /// The first bytes say how the body comes and where it is read; it is the rest, so many times that it has several chunks.
  private static func violation(ofBody bytes: [UInt8]) -> String? {
    guard bytes.count > 4 else { return nil }
    let pattern = Array(bytes[4...])
    let length = (Int(bytes[0]) << 8 | Int(bytes[1])) * 3
    let body = (0..<length).map { pattern[$0 % pattern.count] &+ UInt8(truncatingIfNeeded: $0 >> 12) }
    var writer = BodyChunks.Writer(number: UInt64(bytes[2]))
    var written: [UInt8] = []
    var position = 0
    while position < length {
      let end = min(length, position + 1 + Int(bytes[3]) * 257)
      position += writer.append(body[position..<end])
      if bytes[3] & 1 == 0 { written += writer.takeBytes() }
    }
    writer.finish()
    written += writer.takeBytes()
    guard Int64(written.count) == BodyChunks.fileLength(Int64(length)) else {
      return "the file has another length"
    }
    guard length > 0 else { return nil }
    let offset = Int64(Int(bytes[2]) * 911 % length)
    let place = BodyChunks.place(of: offset, limit: 1 + Int(bytes[3] & 3), length: Int64(length))
    var part = Array(written[Int(place.file.lowerBound)..<Int(place.file.upperBound)])
    let read = try? BodyChunks.body(of: part, first: place.first, number: UInt64(bytes[2]))
    let start = Int(place.first) * BodyChunks.chunk
    guard let read, Int(offset) < start + read.count, read == Array(body[start..<(start + read.count)]) else {
      return "it is read as another"
    }
    part[Int(bytes[0]) * 257 % part.count] ^= bytes[1] | 1
    let damaged = try? BodyChunks.body(of: part, first: place.first, number: UInt64(bytes[2]))
    return damaged == nil ? nil : "a change is not found"
  }
}
