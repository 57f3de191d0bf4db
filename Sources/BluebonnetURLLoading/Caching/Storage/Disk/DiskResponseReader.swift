import BluebonnetFoundation

/// Reads a response that is kept on disk.
final class DiskResponseReader: StoredResponseReader {
  let response: StoredResponse
  private let body: Body
  private let store: DiskResponseStore?

  private enum Body {
    case here(Data)
    case beside(StoreFile, number: UInt64)
  }

  /// How many chunks are read at a time: 256 KiB.
  private static let chunks = 4

  init(_ response: StoredResponse, body: Data) {
    self.response = response
    self.body = .here(body)
    store = nil
  }

  init(_ response: StoredResponse, _ file: StoreFile, number: UInt64, store: DiskResponseStore) {
    self.response = response
    body = .beside(file, number: number)
    self.store = store
  }

  deinit {
    // Whoever lets go of it may be the loop, which closes no files.
    guard case .beside(let file, _) = body, let store else { return }
    store.later { withExtendedLifetime(file) {} }
  }

  func read(at offset: Int64) async throws -> Data {
    if case .beside = body, let store { return try await store.onReading { try self.piece(at: offset) } }
    return try piece(at: offset)
  }

  /// The body, if it is so small that it has been read with its head.
  var smallBody: Data? {
    if case .here(let data) = body { data } else { nil }
  }

  /// As ``read(at:)``, there and then.
  func piece(at offset: Int64) throws(ResponseStoreError) -> Data {
    let length = response.bodyLength ?? 0
    guard offset >= 0, offset < length else { return Data() }
    switch body {
    case .here(let data): return data.dropFirst(Int(offset))
    case .beside(let file, let number):
      let place = BodyChunks.place(of: offset, limit: Self.chunks, length: length)
      var bytes = [UInt8](repeating: 0, count: place.file.count)
      let body: Result<[UInt8], ResponseStoreError> = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(ResponseStoreError) in
          guard try file.read(into: buffer, at: place.file.lowerBound) == buffer.count else {
            throw .damaged("a body ends too soon")
          }
          return try BodyChunks.body(of: UnsafeRawBufferPointer(buffer), first: place.first, number: number)
        }
      }
      if case .failure(.damaged) = body { try? store?.removeVariants(response.key) }
      return Data(try body.get().dropFirst(Int(offset - place.first * Int64(BodyChunks.chunk))))
    }
  }

  /// The whole body, there and then.
  func wholeBody() throws(ResponseStoreError) -> Data {
    if case .here(let data) = body { return data }
    var whole = Data()
    while Int64(whole.count) < response.bodyLength ?? 0 { whole.append(try piece(at: Int64(whole.count))) }
    return whole
  }
}
