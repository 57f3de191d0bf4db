// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache

/// Responses in memory.
@Suite struct InMemoryResponseStoreTests {
  private func entry(
    _ name: String, _ count: Int, variant: String? = nil, fields: [StoredResponse.Field] = []
  ) throws -> InMemoryResponseStore.Entry {
    let response = try StoredSamples.response(
      name, variant: [.init(name: "accept", value: variant)], fields: fields)
    return .init(response, CachedURLResponse(response: response.urlResponse, data: StoredSamples.body(count)))
  }

  private func entry(_ response: StoredResponse, _ count: Int) throws -> InMemoryResponseStore.Entry {
    .init(response, CachedURLResponse(response: response.urlResponse, data: StoredSamples.body(count)))
  }

  /// A list from the one that goes next to the one that was used last: what the memory must do, as simply as can be.
  private struct Model {
    var entries: [(key: String, variant: String?, size: Int, id: UInt64)] = []
    let capacity: Int

    var usage: Int { entries.reduce(0) { $0 + $1.size } }

    mutating func insert(_ key: String, _ variant: String?, _ size: Int, _ id: UInt64) {
      entries.removeAll { $0.key == key && $0.variant == variant }
      guard size <= capacity / 20 else { return }
      let youngest = entries.filter { $0.key == key }
      if youngest.count == InMemoryResponseStore.variantLimit {
        // The oldest of them by the order in which they came.
        let first = youngest.min { $0.id < $1.id }
        entries.removeAll { $0.id == first?.id }
      }
      entries.append((key, variant, size, id))
      while usage > capacity { entries.removeFirst() }
    }

    mutating func use(_ key: String) {
      let used = entries.filter { $0.key == key }.sorted { $0.id < $1.id }
      entries.removeAll { $0.key == key }
      entries += used
    }
  }

  @Test func whatWasNotUsedForTheLongestTimeGoesFirst() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let memory = InMemoryResponseStore(capacity: 2_000)
      var model = Model(capacity: 2_000)
      // Numbers of the order in which they came, for the model.
      var ids: [UInt64: UInt64] = [:]
      for step in 0..<600 as Range<UInt64> {
        let key = "\(Int.random(in: 0..<30, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let size = Int.random(in: 0...110, using: &random)
          let variant = Bool.random(using: &random) ? nil : "\(Int.random(in: 0..<20, using: &random))"
          let made = try entry(key, size, variant: variant)
          ids[made.response.id] = step
          memory.insert(made)
          model.insert(key, variant, size, step)
        case 5..<9:
          let found = memory.entries(for: StoredSamples.key(key))
          let expected = model.entries.filter { $0.key == key }.sorted { $0.id > $1.id }
          #expect(found.map { ids[$0.response.id] } == expected.map(\.id))
          model.use(key)
        default:
          memory.remove(StoredSamples.key(key))
          model.entries.removeAll { $0.key == key }
        }
        #expect(memory.usage == model.usage)
      }
      for key in 0..<30 {
        let found = memory.entries(for: StoredSamples.key("\(key)")).map { ids[$0.response.id] }
        #expect(found == model.entries.filter { $0.key == "\(key)" }.sorted { $0.id > $1.id }.map(\.id))
      }
    }
  }

  @Test func aBodyIsSharedAndNotCopied() throws {
    let memory = InMemoryResponseStore(capacity: 10_000_000)
    let made = try entry("a", 100_000)
    memory.insert(made)
    let found = try #require(memory.entries(for: StoredSamples.key("a")).first)
    #expect(found.cached === made.cached)
    let places = [made, found].map { $0.cached.data.withUnsafeBytes { $0.baseAddress } }
    #expect(places[0] == places[1])
    var head = found.response
    head.fields = [.init(name: "ETag", value: "\"2\"")]
    let isUpdated = memory.update(head) {
      CachedURLResponse(
        response: head.urlResponse, data: $0.data, userInfo: nil, storagePolicy: $0.storagePolicy)
    }
    #expect(isUpdated)
    let updated = try #require(memory.entries(for: StoredSamples.key("a")).first)
    #expect((updated.cached.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag") == "\"2\"")
    #expect(updated.cached.data.withUnsafeBytes { $0.baseAddress } == places[0])
  }

  @Test func anUpdateOfAnotherResponseChangesNothing() throws {
    let memory = InMemoryResponseStore(capacity: 100_000)
    let old = try entry("a", 10)
    memory.insert(old)
    memory.insert(try entry("a", 11))
    #expect(!memory.update(old.response) { $0 })
    #expect(memory.entries(for: StoredSamples.key("a")).map(\.cached.data.count) == [11])
  }

  @Test func anOlderHeadDoesNotTakeThePlaceOfANewerOne() throws {
    let memory = InMemoryResponseStore(capacity: 100_000)
    let kept = try entry("a", 10).response
    memory.insert(try entry(kept, 10))
    for (tag, time) in [("2", 20), ("1", 10)] as [(String, Double)] {
      var head = kept
      head.fields = [.init(name: "ETag", value: tag)]
      head.responseTime = Date(timeIntervalSince1970: kept.responseTime.timeIntervalSince1970 + time)
      #expect(memory.update(head) { $0 })
    }
    #expect(memory.entries(for: StoredSamples.key("a")).map(\.response.fields.first?.value) == ["2"])
  }

  @Test func whatIsFoundElsewhereDoesNotTakeThePlaceOfWhatIsThere() throws {
    let memory = InMemoryResponseStore(capacity: 100_000)
    memory.insert(try entry("a", 10))
    memory.adopt(try entry("a", 11))
    memory.adopt(try entry("a", 12, variant: "other"))
    #expect(memory.entries(for: StoredSamples.key("a")).map(\.cached.data.count).sorted() == [10, 12])
  }

  @Test func whatIsTooLargeTakesItsElderAlong() throws {
    let memory = InMemoryResponseStore(capacity: 1_000)
    #expect(memory.insert(try entry("a", 50)))
    #expect(!memory.insert(try entry("a", 51)))
    #expect(memory.entries(for: StoredSamples.key("a")).isEmpty && memory.usage == 0)
  }

  @Test func lessCapacityTakesEffectAtOnce() throws {
    let memory = InMemoryResponseStore(capacity: 10_000)
    for number in 0..<100 { memory.insert(try entry("\(number)", 100)) }
    #expect(memory.usage == 10_000)
    memory.capacity = 350
    #expect(memory.usage == 300)
    #expect((97..<100).allSatisfy { memory.entries(for: StoredSamples.key("\($0)")).count == 1 })
    memory.capacity = 0
    #expect(memory.usage == 0)
    #expect(!memory.insert(try entry("x", 1)))
  }

  @Test func fieldsCountToo() throws {
    let memory = InMemoryResponseStore(capacity: 100_000)
    memory.insert(try entry("a", 10, fields: [.init(name: "X", value: String(repeating: "a", count: 1_000))]))
    #expect(memory.usage == 1_011)
  }

  /// Under the thread sanitizer this says that the lock holds.
  @Test func manyAtATime() async throws {
    let memory = InMemoryResponseStore(capacity: 20_000)
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<8 as Range<UInt64> {
        group.addTask {
          var random = SeededGenerator(seed: seed)
          for _ in 0..<500 {
            let name = "\(Int.random(in: 0..<10, using: &random))"
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
              if let made = try? entry(name, 500, variant: "\(Int.random(in: 0..<3, using: &random))") {
                memory.insert(made)
              }
            case 3: memory.remove(StoredSamples.key(name))
            case 4: memory.remove { $0.key == StoredSamples.key(name) }
            default:
              for found in memory.entries(for: StoredSamples.key(name)) {
                #expect(found.cached.data.count == 500)
              }
            }
            #expect(memory.usage <= 20_000)
          }
        }
      }
    }
    memory.remove { _ in true }
    #expect(memory.usage == 0)
  }
}
