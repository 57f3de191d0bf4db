import Glibc

// How responses are found. Waits for the disk.
extension DiskResponseStore {
  /// As ``responses(for:)``, there and then.
  func find(_ key: StoredResponse.Key) throws(ResponseStoreError) -> [DiskResponseReader] {
    guard capacity > 0 else { return [] }
    let hash = StoreName.hash(of: key)
    var readers: [DiskResponseReader] = []
    // A head may have been replaced after it was read, and its body removed: then there is a newer one.
    for _ in 0..<3 {
      guard let file = try variants(hash) else { return [] }
      readers = []
      var isWhole = true
      for variant in file.variants where variant.response.key == key {
        switch variant.body {
        case .here(let body): readers.append(DiskResponseReader(variant.response, body: body))
        case .beside(let number):
          let body = try directory.file(StoreName.body(number, of: hash))
          if let body, body.size == BodyChunks.fileLength(variant.length) {
            readers.append(DiskResponseReader(variant.response, body, number: number, store: self))
          } else {
            isWhole = false
          }
        }
      }
      if isWhole { break }
    }
    if !readers.isEmpty { use(hash) }
    return readers
  }

  /// The only variant of a key, if its body has been read with its head.
  func findSmall(_ key: StoredResponse.Key) throws(ResponseStoreError) -> DiskResponseReader? {
    guard capacity > 0 else { return nil }
    let hash = StoreName.hash(of: key)
    guard let file = try variants(hash) else { return nil }
    let found = file.variants.filter { $0.response.key == key }
    guard found.count == 1, case .here(let body) = found[0].body else { return nil }
    use(hash)
    return DiskResponseReader(found[0].response, body: body)
  }

  /// The variants of a key; nil if there are none. What cannot be read is removed.
  func variants(_ hash: String) throws(ResponseStoreError) -> VariantFile? {
    do throws(ResponseStoreError) {
      guard let file = try directory.file(hash) else { return nil }
      return try VariantFile(try file.contents(expecting: 32 * 1024, limit: VariantFile.sizeLimit))
    } catch {
      switch error {
      case .damaged, .failed(_, EISDIR), .failed(_, ELOOP), .failed(_, EACCES):
        directory.remove(hash)
        return nil
      default: throw error
      }
    }
  }
}
