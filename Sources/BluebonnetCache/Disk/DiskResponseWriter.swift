// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks

/// Writes a response to disk: a small body is kept until it is complete, a larger one goes to a file as it comes.
final class DiskResponseWriter: StoredResponseWriter {
  private let response: StoredResponse
  private let store: DiskResponseStore
  private let limit: Int64
  private let members = Locked(Members())

  private struct Members {
    var isOver = false
    var length: Int64 = 0
    var small = Data()
    var large: Large?

    /// Nothing more is taken.
    ///
    /// - Returns: The file that has to be removed.
    mutating func end() -> Large? {
      isOver = true
      small = Data()
      defer { large = nil }
      return large
    }
  }

  private struct Large {
    let name: String
    let file: OpenFile
    var chunks = BodyChunks.Writer(number: .random(in: .min ... .max))
    /// Bytes of the file.
    var length: Int64 = 0
  }

  /// So much is written at a time.
  private static let pieceLength = 256 * 1024

  init(_ response: StoredResponse, store: DiskResponseStore, limit: Int64) {
    self.response = response
    self.store = store
    self.limit = limit
  }

  deinit {
    // The last reference may be the loop's.
    guard let large = members.withLock({ $0.end() }) else { return }
    store.later { [store] in Self.give(up: large, store) }
  }

  func append(_ piece: Data) async throws { try await store.onWriting { try self.take(piece) } }

  func commit() async throws { try await store.onWriting { try self.finish() } }

  func abandon() async { try? await store.onWriting { self.giveUp() } }

  // MARK: There and then

  /// As ``append(_:)``.
  func take(_ piece: Data) throws(ResponseStoreError) {
    try trying { (members) throws(ResponseStoreError) in
      members.length += Int64(piece.count)
      guard members.length <= limit else { throw .tooLarge(limit: limit) }
      if let stated = response.bodyLength, members.length > stated {
        throw .wrongLength(stated: stated, written: members.length)
      }
      if members.large == nil {
        members.small.append(piece)
        if members.small.count <= VariantFile.inlineLimit { return }
        members.large = try makeLarge()
        let small = members.small
        members.small = Data()
        return try write(small, &members.large)
      }
      try write(piece, &members.large)
    }
  }

  /// Makes a file for a large body. The store's lock is held meanwhile, so that no other process takes it for one without an owner.
  private func makeLarge() throws(ResponseStoreError) -> Large {
    try store.changing { () throws(ResponseStoreError) in
      let (name, file) = try store.directory.createTemporary()
      // Tells others that this process lives. It does not wait: no other process knows the name.
      _ = flock(file.descriptor, LOCK_EX | LOCK_NB)
      store.state.withLock { $0.writing[name] = 0 }
      return Large(name: name, file: file)
    }
  }

  /// As ``commit()``.
  func finish() throws(ResponseStoreError) {
    var head = response
    var body = VariantFile.Body.here(Data())
    var name: String?
    try trying { (members) throws(ResponseStoreError) in
      if let stated = response.bodyLength, members.length != stated {
        throw .wrongLength(stated: stated, written: members.length)
      }
      head.bodyLength = members.length
      if members.large == nil {
        body = .here(members.small)
      } else {
        members.large?.chunks.finish()
        try flush(&members.large)
        body = .beside(members.large?.chunks.number ?? 0)
        name = members.large?.name
      }
      try store.commit(head, body, temporary: name)
      // It has another name now, and is to stay.
      members.large = nil
      members.isOver = true
    }
  }

  /// As ``abandon()``.
  func giveUp() { Self.give(up: members.withLock { $0.end() }, store) }

  /// Does something with the members; after a failure nothing of the response is left.
  private func trying(
    _ body: (inout Members) throws(ResponseStoreError) -> Void
  ) throws(ResponseStoreError) {
    var failure: ResponseStoreError?
    var left: Large?
    members.withLock { members in
      guard !members.isOver else {
        failure = .finished
        return
      }
      do throws(ResponseStoreError) {
        try body(&members)
      } catch {
        failure = error
        left = members.end()
      }
    }
    Self.give(up: left, store)
    if let failure { throw failure }
  }

  private static func give(up large: Large?, _ store: DiskResponseStore) {
    guard let large else { return }
    store.directory.remove(large.name)
    store.release(large.name)
  }

  private func write(_ piece: Data, _ large: inout Large?) throws(ResponseStoreError) {
    var rest = piece
    while !rest.isEmpty {
      rest = rest.dropFirst(large?.chunks.append(rest) ?? rest.count)
      if large?.chunks.bytes.count ?? 0 >= Self.pieceLength { try flush(&large) }
    }
  }

  private func flush(_ large: inout Large?) throws(ResponseStoreError) {
    guard let bytes = large?.chunks.takeBytes(), let file = large?.file, !bytes.isEmpty else { return }
    let length = (large?.length ?? 0) + Int64(bytes.count)
    large?.length = length
    try store.reserve(DiskResponseStore.charge(length), for: large?.name ?? "")
    try ResponseStoreError.naming("write") { () throws(POSIXError) in try file.write(bytes) }
  }
}
