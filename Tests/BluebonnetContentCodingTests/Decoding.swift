// SPDX-License-Identifier: MIT
import BluebonnetContentCoding

/// Decodes `bytes`, cut at the given places.
func decode(
  _ bytes: [UInt8], _ codings: [ContentCoding], cuts: [Int] = [], limit: DecompressionLimit = .inMemory
) throws -> [UInt8] {
  let decoder = try ContentDecoder(codings: codings, limit: limit)
  var result: [UInt8] = []
  var start = 0
  for end in cuts + [bytes.count] {
    try bytes[start..<end].withUnsafeBytes { try decoder.decode($0) { result.append(contentsOf: $0) } }
    start = end
  }
  try decoder.finish()
  return result
}

/// The error of decoding, and how many bytes came out before it.
func failure(
  _ bytes: [UInt8], _ codings: [ContentCoding], limit: DecompressionLimit = .inMemory
) -> (error: ContentCodingError?, output: Int) {
  var count = 0
  do {
    let decoder = try ContentDecoder(codings: codings, limit: limit)
    try bytes.withUnsafeBytes { try decoder.decode($0) { count += $0.count } }
    try decoder.finish()
    return (nil, count)
  } catch {
    return (error as? ContentCodingError, count)
  }
}

/// Decodes `bytes`, cut at the given places, with a stop behind every piece that comes out. What is left then comes again,
/// from somewhere else in memory. Gives the pieces, too.
func decodeHaltingly(
  _ bytes: [UInt8], _ codings: [ContentCoding], cuts: [Int] = [], limit: DecompressionLimit = .inMemory
) throws -> (plain: [UInt8], largest: Int, stops: Int) {
  let decoder = try ContentDecoder(codings: codings, limit: limit)
  var (result, largest, stops) = ([UInt8](), 0, 0)
  var start = 0
  for end in cuts + [bytes.count] {
    var rest = Array(bytes[start..<end])
    while true {
      var pieces = 0
      let (isDone, left) = try rest.withUnsafeBytes { bytes in
        var input = bytes
        let isDone = try decoder.decode(from: &input) { piece in
          pieces += 1
          result.append(contentsOf: piece)
          largest = max(largest, piece.count)
          return false
        }
        return (isDone, Array(input))
      }
      if isDone != (pieces == 0) || pieces > 1 { throw NotHeeded() }
      if isDone { break }
      stops += 1
      rest = left
    }
    start = end
  }
  try decoder.finish()
  return (result, largest, stops)
}

/// More came out than was wanted, or less.
struct NotHeeded: Error {}
