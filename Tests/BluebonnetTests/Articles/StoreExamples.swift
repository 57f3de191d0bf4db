// SPDX-License-Identifier: MIT

// The code of the article *Keeping responses*, word for word; `StoreExamplesTests` runs it.

import Bluebonnet
import BluebonnetFoundation

enum StoreExamples {
  static func onDisk(_ cache: URLCache) -> Session {
    let configuration = URLSessionConfiguration.af.default
    configuration.urlCache = cache
    let session = Session(configuration: configuration)
    return session
  }

  static func failures(of cache: URLCache) {
    if let failure = cache.lastStoreFailure { print("the cache does not keep everything: \(failure)") }
  }
}

/// The commands that the store uses, of whichever client.
protocol Valkey: Sendable {
  func hgetall(_ key: String) async throws -> [String: Data]
  func hset(_ key: String, _ field: String, _ value: Data) async throws
  func set(_ key: String, _ value: Data, secondsToLive: Int) async throws
  func getrange(_ key: String, _ range: Range<Int64>) async throws -> Data
  func del(_ key: String) async throws
  func flushdb() async throws
}

/// A hash for each key, with a field for each variant, and the bodies beside it.
struct ValkeyStore: ResponseStore {
  let valkey: any Valkey

  func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    try await valkey.hgetall(key.description).values.compactMap { head in
      // What cannot be read is not there.
      (try? StoredResponse(encoded: head)).map { Reader(valkey: valkey, response: $0) }
    }
  }

  func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    Writer(valkey: valkey, response: response)
  }

  func update(_ response: StoredResponse) async throws -> Bool {
    let heads = try await valkey.hgetall(response.key.description)
    guard let old = heads["\(response.variant)"], try StoredResponse(encoded: old).id == response.id else {
      return false
    }
    try await valkey.hset(response.key.description, "\(response.variant)", response.encoded())
    return true
  }

  func remove(_ key: StoredResponse.Key) async throws {
    // Bodies that no head names go by themselves.
    try await valkey.del(key.description)
  }

  func removeAll() async throws { try await valkey.flushdb() }

  private struct Reader: StoredResponseReader {
    let valkey: any Valkey
    let response: StoredResponse

    func read(at offset: Int64) async throws -> Data {
      let end = min(offset + 1_000_000, response.bodyLength ?? 0)
      if offset >= end { return Data() }
      let piece = try await valkey.getrange("body \(response.id)", offset..<end)
      guard !piece.isEmpty else { throw ResponseStoreError.damaged("the body has expired") }
      return piece
    }
  }

  private actor Writer: StoredResponseWriter {
    let valkey: any Valkey
    var response: StoredResponse
    var body = Data()

    init(valkey: any Valkey, response: StoredResponse) {
      self.valkey = valkey
      self.response = response
    }

    func append(_ piece: Data) throws {
      guard body.count + piece.count <= 50_000_000 else {
        throw ResponseStoreError.tooLarge(limit: 50_000_000)
      }
      body.append(piece)
    }

    func commit() async throws {
      response.bodyLength = Int64(body.count)
      // The body first: who finds the head finds the body, too.
      try await valkey.set("body \(response.id)", body, secondsToLive: 7 * 86_400)
      try await valkey.hset(response.key.description, "\(response.variant)", response.encoded())
    }

    func abandon() { body = Data() }
  }
}

/// A session whose responses are shared by all processes of the fleet.
func session(sharingThrough valkey: any Valkey) -> Session {
  let configuration = URLSessionConfiguration.af.default
  configuration.urlCache = URLCache(memoryCapacity: 20_000_000, store: ValkeyStore(valkey: valkey))
  return Session(configuration: configuration)
}
