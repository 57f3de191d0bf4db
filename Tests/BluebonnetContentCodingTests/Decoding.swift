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
