// SPDX-License-Identifier: MIT

// How responses are kept, and get other heads. Waits for the disk.
extension DiskResponseStore {
  /// As ``write(_:)``, there and then.
  func begin(_ response: StoredResponse) throws(ResponseStoreError) -> DiskResponseWriter {
    let limit = entryLimit
    guard limit > 0, response.bodyLength ?? 0 <= limit else { throw .tooLarge(limit: limit) }
    // What cannot be written had better be known before the body comes.
    let head = try response.encodedBytes().count
    guard head <= limit else { throw .tooLarge(limit: limit) }
    return DiskResponseWriter(response, store: self, limit: limit)
  }

  /// Makes a response one that can be found.
  ///
  /// - Parameter temporary: The file with the body, if it is large.
  func commit(
    _ response: StoredResponse, _ body: VariantFile.Body, temporary: String?
  ) throws(ResponseStoreError) {
    let hash = StoreName.hash(of: response.key)
    try changing { () throws(ResponseStoreError) in
      var file = try variants(hash) ?? VariantFile()
      var dropped: [VariantFile.Variant] = []
      if let other = file.variants.first, other.response.key != response.key {
        // Another key with the same hash.
        dropped = file.variants
        file = VariantFile()
      }
      dropped += file.put(.init(response: response, body: body))
      let bytes = try file.bytes()
      if let temporary, case .beside(let number) = body {
        try directory.rename(temporary, to: StoreName.body(number, of: hash))
        release(temporary)
      }
      do throws(ResponseStoreError) {
        try directory.write(bytes, to: hash)
      } catch {
        if case .beside(let number) = body { directory.remove(StoreName.body(number, of: hash)) }
        throw error
      }
      settle(hash, file, length: bytes.count, dropped: dropped)
      // It is kept, whether or not another one could be removed.
      try? trim()
    }
    cleanLater()
  }

  /// As ``update(_:)``, there and then.
  func updateHead(_ response: StoredResponse) throws(ResponseStoreError) -> Bool {
    guard capacity > 0 else { return false }
    let hash = StoreName.hash(of: response.key)
    return try changing { () throws(ResponseStoreError) in
      guard var file = try variants(hash),
        let index = file.variants.firstIndex(where: {
          $0.response.id == response.id && $0.response.key == response.key
            && $0.response.variant == response.variant
        })
      else { return false }
      let length = file.variants[index].response.bodyLength
      file.variants[index].response = response
      file.variants[index].response.bodyLength = length
      let bytes = try file.bytes()
      try directory.write(bytes, to: hash)
      settle(hash, file, length: bytes.count)
      return true
    }
  }
}
