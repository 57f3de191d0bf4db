// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLocks

/// Reads a response that is kept on disk.
package final class DiskResponseReader: StoredResponseReader {
  package let response: StoredResponse
  private let body: Body
  private let store: DiskResponseStore?
  /// Open from when it is first read, or from the beginning.
  private let file = Locked<OpenFile?>(nil)

  private enum Body {
    case here(Data)
    case beside(Place)
  }

  /// The place of a large body.
  struct Place {
    let name: String
    let number: UInt64
  }

  /// The number of chunks read at a time: 256 KiB.
  private static let chunks = 4

  init(_ response: StoredResponse, body: Data) {
    self.response = response
    self.body = .here(body)
    store = nil
  }

  /// - Parameter file: Nil to open it when it is read.
  init(_ response: StoredResponse, _ place: Place, _ file: OpenFile?, store: DiskResponseStore) {
    self.response = response
    body = .beside(place)
    self.store = store
    if let file { keep(file) }
  }

  deinit {
    // This may happen in loop context, where no file is closed.
    guard let store, let file = file.withLock({ $0.take() }) else { return }
    store.state.withLock { $0.openBodies -= 1 }
    store.close(file)
  }

  private func keep(_ file: OpenFile) {
    let isFirst = self.file.withLock { known in
      defer { if known == nil { known = file } }
      return known == nil
    }
    if isFirst { store?.state.withLock { $0.openBodies += 1 } }
  }

  private func opened(_ place: Place) throws(ResponseStoreError) -> OpenFile {
    if let file = file.withLock({ $0 }) { return file }
    guard let file = try store?.directory.file(place.name),
      file.size == BodyChunks.fileLength(response.bodyLength ?? 0)
    else { throw .damaged("a body is no longer there") }
    keep(file)
    return file
  }

  package func read(at offset: Int64) async throws -> Data {
    if case .beside = body, let store { return try await store.onReading { try self.piece(at: offset) } }
    return try piece(at: offset)
  }

  /// The body, if it is so small that it has been read with its head.
  package var smallBody: Data? {
    if case .here(let data) = body { data } else { nil }
  }

  /// As ``read(at:)``, there and then.
  func piece(at offset: Int64) throws(ResponseStoreError) -> Data {
    let length = response.bodyLength ?? 0
    guard offset >= 0, offset < length else { return Data() }
    switch body {
    case .here(let data): return data.dropFirst(Int(offset))
    case .beside(let source):
      let file = try opened(source)
      let place = BodyChunks.place(of: offset, limit: Self.chunks, length: length)
      var bytes = [UInt8](repeating: 0, count: place.file.count)
      let count = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(POSIXError) in try file.read(into: buffer, at: place.file.lowerBound) }
      }
      let body = Result { () throws(ResponseStoreError) in
        let count = try ResponseStoreError.naming("pread") { () throws(POSIXError) in try count.get() }
        guard count == bytes.count else { throw .damaged("a body ends too soon") }
        return try BodyChunks.body(of: bytes, first: place.first, number: source.number)
      }
      if case .failure(.damaged) = body { try? store?.removeVariants(response.key) }
      return Data(try body.get().dropFirst(Int(offset - place.first * Int64(BodyChunks.chunk))))
    }
  }
}
