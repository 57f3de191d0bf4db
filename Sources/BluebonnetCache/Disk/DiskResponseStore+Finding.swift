// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc

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
          if let reader = try reader(of: variant.response, number, hash) {
            readers.append(reader)
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

  /// The number of bodies with files open before they are read. Loads waiting for connections may have found more: these are
  /// opened when they are read, if they are still there then.
  static let openLimit = 64

  /// Reads a large body; nil if it is not there as it was written.
  private func reader(
    of response: StoredResponse, _ number: UInt64, _ hash: String
  ) throws(ResponseStoreError) -> DiskResponseReader? {
    let (name, length) = (StoreName.body(number, of: hash), BodyChunks.fileLength(response.bodyLength ?? 0))
    var file: OpenFile?
    if state.withLock({ $0.openBodies < Self.openLimit }) {
      file = try directory.file(name)
      guard let file, file.size == length else { return nil }
    } else if directory.size(of: name) != length {
      return nil
    }
    return DiskResponseReader(response, .init(name: name, number: number), file, store: self)
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
      let contents = try ResponseStoreError.naming("read") { () throws(POSIXError) in
        try file.contents(expecting: 32 * 1024, limit: VariantFile.sizeLimit)
      }
      guard contents.count <= VariantFile.sizeLimit else { throw .damaged("a file is too long") }
      return try VariantFile(contents)
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
