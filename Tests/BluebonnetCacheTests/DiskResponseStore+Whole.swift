// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestStores

@testable import BluebonnetCache

extension DiskResponseStore {
  /// Keeps a response, there and then.
  func keep(_ response: StoredResponse, _ body: Data, pieces: Int = .max) throws {
    let writer = try begin(response)
    var position = 0
    while position < body.count {
      let end = position + min(pieces, body.count - position)
      try writer.take(body[position..<end])
      position = end
    }
    try writer.finish()
  }

  /// The bodies that are kept under a key.
  func bodies(_ name: String) throws -> [Data] {
    try find(StoredSamples.key(name)).map { try $0.wholeBody() }
  }
}

extension DiskResponseReader {
  /// The whole body, there and then.
  func wholeBody() throws -> Data {
    var whole = Data()
    while Int64(whole.count) < response.bodyLength ?? 0 { whole.append(try piece(at: Int64(whole.count))) }
    return whole
  }
}
