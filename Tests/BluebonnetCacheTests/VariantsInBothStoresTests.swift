// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache

/// A response that fits a request may be in memory, and a more recent one, which varies by other fields, in the store alone: that one
/// answers (RFC 9111 §4).
@Suite struct VariantsInBothStoresTests {
  private let folder: StoreFolder
  private let storage: ResponseStorage
  private let key = StoredSamples.key("a")
  private let language = [StoredResponse.RequestField(name: "accept-language", value: nil)]

  init() throws {
    folder = try StoreFolder()
    storage = ResponseStorage(
      memoryCapacity: 100_000, disk: DiskResponseStore(path: folder.url.path, capacity: 400_000_000))
  }

  /// Keeps a response as a load does that has brought it.
  private func keep(
    _ count: Int, _ variant: [StoredResponse.RequestField] = [], at time: Double,
    policy: CachedURLResponse.StoragePolicy = .allowed
  ) async throws -> StoredResponse {
    let response = try StoredSamples.response(variant: variant, at: time)
    let cached = CachedURLResponse(
      response: response.urlResponse, data: StoredSamples.body(count), storagePolicy: policy)
    await storage.keep(response, cached, askedFor: .infinity)?.value
    return response
  }

  private var timesInMemory: [Double] {
    storage.memory.entries(for: key).map { $0.response.responseTime.timeIntervalSince1970.rounded(.down) }
  }

  private func count() async throws -> Int { try await storage.store?.responses(for: key).count ?? 0 }

  @Test func aLargerOneThatIsNewer() async throws {
    _ = try await keep(100, at: 1_000)
    _ = try await keep(50_000, language, at: 1_010)
    #expect(timesInMemory.isEmpty)
    #expect(try await count() == 2)
    _ = try await keep(100, at: 1_020)
    #expect(timesInMemory == [1_020])
  }

  @Test func aLargerOneThatIsValidatedLater() async throws {
    var large = try await keep(50_000, language, at: 1_000)
    _ = try await keep(100, at: 1_010)
    #expect(timesInMemory == [1_010])
    large.responseTime = Date(timeIntervalSince1970: 1_005)
    await storage.update(large)?.value
    #expect(timesInMemory == [1_010])
    large.responseTime = Date(timeIntervalSince1970: 1_020)
    await storage.update(large)?.value
    #expect(timesInMemory.isEmpty)
    #expect(try await count() == 2)
  }

  @Test func aLargerOneThatIsNotStored() async throws {
    _ = try await keep(100, at: 1_000)
    _ = try await keep(50_000, language, at: 1_010, policy: .allowedInMemoryOnly)
    #expect(timesInMemory == [1_000])
  }

  /// An older one that is found in the store stays there: the next request may fit the newer one, too.
  @Test func anOlderOneIsNotTakenIntoMemory() async throws {
    _ = try await keep(100, at: 1_000)
    _ = try await keep(50_000, language, at: 1_010)
    let found = try await detached { [storage, key] in storage.waitForResponse(key) { $0.variant.isEmpty } }
    #expect(found?.data.count == 100)
    #expect(timesInMemory.isEmpty)
    let newest = try await detached { [storage, key] in storage.waitForResponse(key) { _ in true } }
    #expect(newest?.data.count == 50_000)
  }
}
