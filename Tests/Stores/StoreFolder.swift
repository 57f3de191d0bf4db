// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation

/// A directory that is removed with all that is in it.
package final class StoreFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "bluebonnet-store-\(UUID.random().uuidString)", isDirectory: true)

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where the files are.
  package var inner: URL { url.appendingPathComponent(StoreDirectory.name, isDirectory: true) }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: inner.path)) ?? []).sorted()
  }

  /// Those that hold something.
  package var files: [String] { names.filter { $0 != StoreDirectory.lockName } }

  /// Bytes of all files.
  package var size: Int {
    files.reduce(0) { sum, name in
      sum + ((try? Data(contentsOf: inner.appendingPathComponent(name)))?.count ?? 0)
    }
  }
}
