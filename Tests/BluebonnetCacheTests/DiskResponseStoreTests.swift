// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestStores
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetCache

/// Responses on disk.
@Suite struct DiskResponseStoreTests {
  let folder: StoreFolder
  let store: DiskResponseStore

  init() throws {
    folder = try StoreFolder()
    store = DiskResponseStore(directory: folder.url, capacity: 100_000_000)
  }

  private func again(capacity: Int = 100_000_000) -> DiskResponseStore {
    DiskResponseStore(directory: folder.url, capacity: capacity)
  }

  private func mode(_ url: URL) -> mode_t {
    var facts = stat()
    return lstat(url.path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
  }

  // MARK: Keeping and finding

  @Test(arguments: [0, 1, 10_000, 16_384, 16_385, 65_536, 65_537, 300_000, 1_000_003])
  func whatIsKeptIsFoundAfterARestart(length: Int) throws {
    let body = StoredSamples.body(length)
    for pieces in [Int.max, 70_000] {
      let response = try StoredSamples.response(length: pieces == .max ? Int64(length) : nil)
      try store.keep(response, body, pieces: pieces)
      for store in [store, again()] {
        let found = try #require(try store.find(response.key).first)
        #expect(found.response.bodyLength == Int64(length))
        #expect(found.response.id == response.id)
        #expect(try found.wholeBody() == body)
      }
    }
    #expect(folder.files.count == (length > 16_384 ? 2 : 1), "\(folder.files)")
    #expect(mode(folder.inner) == 0o700)
    for name in folder.names { #expect(mode(folder.inner.appendingPathComponent(name)) == 0o600) }
  }

  @Test func aBodyIsReadFromAnywhere() throws {
    let body = StoredSamples.body(400_000)
    for length in [10_000, 400_000] {
      try store.keep(try StoredSamples.response(), body.prefix(length))
      let found = try #require(try store.find(StoredSamples.key("a")).first)
      for offset in [0, 1, 9_999, 65_536, 199_999, 399_999] where offset < length {
        var read = Data()
        while offset + read.count < length { read.append(try found.piece(at: Int64(offset + read.count))) }
        #expect(read == body[offset..<length])
      }
      for offset in [Int64(length), Int64(length) + 1, .max, -1] {
        #expect(try found.piece(at: offset).isEmpty)
      }
    }
  }

  @Test func theProtocolDoesTheSame() async throws {
    let body = StoredSamples.body(100_000)
    let key = StoredSamples.key("a")
    let writer = try await store.write(try StoredSamples.response())
    try await writer.append(body.prefix(50_000))
    #expect(try await store.responses(for: key).isEmpty, "It is not committed.")
    try await writer.append(body.dropFirst(50_000))
    try await writer.commit()
    await writer.abandon()
    await #expect(throws: ResponseStoreError.finished) { try await writer.commit() }
    var found = try #require(try await store.responses(for: key).first)
    #expect(try await found.read(at: 0) == body)
    var head = found.response
    head.fields = [.init(name: "ETag", value: "\"2\"")]
    #expect(try await store.update(head))
    found = try #require(try await store.responses(for: key).first)
    #expect(found.response.fields == head.fields)
    #expect(try await found.read(at: 99_999) == body.suffix(1))
    try await store.remove(key)
    #expect(try await store.responses(for: key).isEmpty)
    let other = try await store.write(try StoredSamples.response("b"))
    try await other.commit()
    try await store.removeAll(since: .distantFuture)
    #expect(try await store.responses(for: StoredSamples.key("b")).count == 1)
    try await store.removeAll(since: .distantPast)
    #expect(try await store.responses(for: StoredSamples.key("b")).isEmpty)
    try await store.removeAll()
  }

  @Test func variantsAreKeptSideBySide() throws {
    func variant(_ language: String?) -> [StoredResponse.RequestField] {
      [.init(name: "accept-language", value: language)]
    }
    for (language, length) in [("de", 10), ("en", 20_000), (nil, 30), ("de", 40)] as [(String?, Int)] {
      try store.keep(
        try StoredSamples.response(variant: variant(language)),
        StoredSamples.body(length, seed: UInt64(length)))
    }
    let found = try again().find(StoredSamples.key("a"))
    #expect(found.map { $0.response.variant.first?.value } == ["en", nil, "de"])
    for reader in found {
      let length = Int(try #require(reader.response.bodyLength))
      #expect(try reader.wholeBody() == StoredSamples.body(length, seed: UInt64(length)))
    }
    try store.removeVariants(StoredSamples.key("a"))
    #expect(try again().find(StoredSamples.key("a")).isEmpty && folder.files.isEmpty)
    for number in 0..<20 {
      try store.keep(try StoredSamples.response(variant: variant("\(number)")), StoredSamples.body(20_000))
    }
    #expect(try store.find(StoredSamples.key("a")).count == VariantFile.countLimit)
    #expect(folder.files.count == VariantFile.countLimit + 1)
  }

  @Test func aNewHeadIsForTheSameResponseOnly() throws {
    let (old, new) = (try StoredSamples.response(at: 1), try StoredSamples.response(at: 2))
    try store.keep(old, StoredSamples.body(20_000))
    var head = old
    head.fields = [.init(name: "Age", value: "0")]
    head.bodyLength = 3
    #expect(try store.updateHead(head))
    let updated = try #require(try again().find(old.key).first)
    #expect(updated.response.fields == head.fields && updated.response.bodyLength == 20_000)
    #expect(try updated.wholeBody() == StoredSamples.body(20_000))
    try store.keep(new, StoredSamples.body(10))
    #expect(try !store.updateHead(head))
    #expect(try store.find(old.key).first?.response.id == new.id)
    #expect(try !store.updateHead(try StoredSamples.response("other")))
  }

  @Test func whoeverReadsReadsToTheEnd() throws {
    let body = StoredSamples.body(600_000)
    try store.keep(try StoredSamples.response(), body)
    let reader = try #require(try store.find(StoredSamples.key("a")).first)
    var read = try reader.piece(at: 0)
    try store.keep(try StoredSamples.response(), StoredSamples.body(600_000, seed: 2))
    read.append(try reader.piece(at: Int64(read.count)))
    try store.removeAllFiles()
    while read.count < body.count { read.append(try reader.piece(at: Int64(read.count))) }
    #expect(read == body)
  }

  // MARK: Giving up

  @Test func whatIsGivenUpLeavesNothing() async throws {
    let body = StoredSamples.body(400_000)
    try store.keep(try StoredSamples.response(), StoredSamples.body(20))
    let before = folder.files
    let given = try store.begin(try StoredSamples.response())
    try given.take(body)
    #expect(folder.files.count == 2)
    given.giveUp()
    #expect(folder.files == before)
    #expect(throws: ResponseStoreError.finished) { try given.take(body) }
    var forgotten: DiskResponseWriter? = try store.begin(try StoredSamples.response())
    try forgotten?.take(body)
    #expect(folder.files.count == 2)
    forgotten = nil
    await Eventually.expect("it is removed") { [folder] in folder.files == before }
    #expect(try store.bodies("a") == [StoredSamples.body(20)])
    #expect(store.usage == 4096)
  }

  @Test func aBodyIsAsLongAsItsHeadSays() throws {
    for (stated, written) in [(10, 9), (10, 11), (0, 1), (100_000, 99_999), (100_000, 100_001)] {
      let writer = try store.begin(try StoredSamples.response(length: Int64(stated)))
      #expect(throws: ResponseStoreError.wrongLength(stated: Int64(stated), written: Int64(written))) {
        try writer.take(StoredSamples.body(written))
        try writer.finish()
      }
      #expect(throws: ResponseStoreError.finished) { try writer.finish() }
    }
    #expect(folder.files.isEmpty)
  }

  @Test func whatIsTooLargeIsRefused() throws {
    let small = DiskResponseStore(directory: folder.url, capacity: 2_000_000)
    #expect(throws: ResponseStoreError.tooLarge(limit: 100_000)) {
      try small.begin(try StoredSamples.response(length: 100_001))
    }
    let writer = try small.begin(try StoredSamples.response())
    try writer.take(StoredSamples.body(100_000))
    #expect(throws: ResponseStoreError.tooLarge(limit: 100_000)) { try writer.take(Data([1])) }
    #expect(folder.files.isEmpty)
    let none = DiskResponseStore(directory: folder.url, capacity: 0)
    #expect(throws: ResponseStoreError.tooLarge(limit: 0)) { try none.begin(try StoredSamples.response()) }
    #expect(try none.find(StoredSamples.key("a")).isEmpty)
  }

  // MARK: Bounds

  /// A list of keys from the one that goes next, with the sizes that count.
  @Test func whatWasNotUsedForTheLongestTimeGoesFirst() throws {
    for seed in 0..<4 as Range<UInt64> {
      let folder = try StoreFolder()
      let capacity = 400_000
      var store = DiskResponseStore(directory: folder.url, capacity: capacity)
      var random = SeededGenerator(seed: seed)
      var model: [(name: String, size: Int)] = []
      for step in 0..<300 {
        let name = "\(Int.random(in: 0..<60, using: &random))"
        let index = model.firstIndex { $0.name == name }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let length = Int.random(in: 0...16_384, using: &random)
          try store.keep(try StoredSamples.response(name), StoredSamples.body(length))
          if let index { model.remove(at: index) }
          let facts = try store.directory.facts().filter {
            $0.name.hasPrefix(StoreName.hash(of: StoredSamples.key(name)))
          }
          model.append((name, Int(facts.reduce(0) { $0 + DiskResponseStore.charge($1.size) })))
          if model.reduce(0, { $0 + $1.size }) > capacity {
            while model.reduce(0, { $0 + $1.size }) > capacity * 9 / 10 { model.removeFirst() }
          }
        case 5..<9:
          #expect(try !store.find(StoredSamples.key(name)).isEmpty == (index != nil), "\(step)")
          if let index { model.append(model.remove(at: index)) }
        default:
          try store.removeVariants(StoredSamples.key(name))
          if let index { model.remove(at: index) }
        }
        #expect(store.usage == model.reduce(0) { $0 + $1.size })
        #expect(folder.size <= capacity)
        // Uses are told when there are many of them, or by whoever removes.
        if step % 100 == 99 {
          store.tellUses()
          store = DiskResponseStore(directory: folder.url, capacity: capacity)
        }
      }
    }
  }

  @Test func lessCapacityTakesEffectAtOnce() throws {
    for number in 0..<20 {
      try store.keep(try StoredSamples.response("\(number)"), StoredSamples.body(40_000))
    }
    let usage = store.usage
    #expect(usage == 20 * (4096 + 40_960))
    store.capacity = usage
    #expect(store.usage == usage)
    store.capacity = usage / 2
    #expect(store.usage <= usage / 2 && folder.size <= usage / 2)
    #expect(try store.bodies("19") == [StoredSamples.body(40_000)])
    #expect(try store.bodies("0").isEmpty)
    store.capacity = 0
    #expect(folder.files.isEmpty && store.usage == 0)
  }

  @Test func thereIsNeverTooMuch() throws {
    let small = DiskResponseStore(directory: folder.url, capacity: 4_000_000)
    var random = SeededGenerator(seed: 1)
    for step in 0..<200 {
      let name = "\(Int.random(in: 0..<100, using: &random))"
      let length = Int.random(in: 0...190_000, using: &random)
      try small.keep(
        try StoredSamples.response(name), StoredSamples.body(length, seed: UInt64(step)), pieces: 50_000)
      #expect(try small.bodies(name) == [StoredSamples.body(length, seed: UInt64(step))])
      #expect(folder.size <= 4_000_000 && small.usage <= 4_000_000)
    }
    #expect(small.usage > 3_000_000 && small.usage == again().usage)
  }

  /// Bodies that are on their way count.
  @Test func whatIsBeingWrittenCounts() throws {
    let small = DiskResponseStore(directory: folder.url, capacity: 8_000_000)
    for number in 0..<19 {
      try small.keep(try StoredSamples.response("\(number)"), StoredSamples.body(390_000))
    }
    var writers: [DiskResponseWriter] = []
    var failures = 0
    for number in 0..<40 {
      let writer = try small.begin(try StoredSamples.response("w\(number)"))
      do throws(ResponseStoreError) {
        try writer.take(StoredSamples.body(400_000))
        writers.append(writer)
      } catch {
        #expect(error == .full(capacity: 8_000_000))
        failures += 1
      }
      #expect(folder.size <= 8_000_000)
    }
    #expect(failures > 0 && writers.count > 15)
    for writer in writers { writer.giveUp() }
    #expect(small.usage == 0, "All that was kept had to go.")
  }

  @Test func nothingIsMadeBeforeSomethingIsKept() throws {
    #expect(try store.find(StoredSamples.key("a")).isEmpty)
    #expect(store.usage == 0)
    try store.removeVariants(StoredSamples.key("a"))
    try store.removeAllFiles()
    try store.removeVariants(since: .distantPast)
    store.capacity = 10
    #expect(!FileManager.default.fileExists(atPath: folder.inner.path))
  }

  // MARK: Removing

  @Test func whatCameAfterADateIsRemoved() throws {
    for (name, time) in [("a", 1_000.0), ("b", 2_000), ("c", 3_000)] {
      try store.keep(try StoredSamples.response(name, at: time), StoredSamples.body(20_000))
    }
    let variant = [StoredResponse.RequestField(name: "accept", value: "x")]
    try store.keep(try StoredSamples.response("a", variant: variant, at: 5_000), StoredSamples.body(20_000))
    try store.removeVariants(since: Date(timeIntervalSince1970: 2_500))
    #expect(try ["a", "b", "c"].map { try store.bodies($0).count } == [1, 1, 0])
    #expect(folder.files.count == 4)
    #expect(store.usage == again().usage)
  }

  @Test func allIsRemoved() throws {
    for number in 0..<5 {
      try store.keep(try StoredSamples.response("\(number)"), StoredSamples.body(5_000 * number))
    }
    let writer = try store.begin(try StoredSamples.response("w"))
    try writer.take(StoredSamples.body(100_000))
    try store.removeAllFiles()
    #expect(folder.files.count == 1)
    try writer.finish()
    #expect(try store.bodies("w") == [StoredSamples.body(100_000)], "It was committed afterwards.")
    #expect(try store.bodies("1").isEmpty)
  }

  @Test func aDirectoryThatWasClearedAwayIsMadeAgain() throws {
    let other = again()
    for store in [store, other] { try store.keep(try StoredSamples.response(), StoredSamples.body(100)) }
    try FileManager.default.removeItem(at: folder.inner)
    #expect(try store.find(StoredSamples.key("a")).isEmpty)
    try store.keep(try StoredSamples.response("b"), StoredSamples.body(20_000))
    try other.keep(try StoredSamples.response("c"), StoredSamples.body(100))
    #expect(try again().bodies("b") == [StoredSamples.body(20_000)])
    #expect(try store.bodies("c") == [StoredSamples.body(100)])
    try FileManager.default.removeItem(at: folder.inner.appendingPathComponent(StoreDirectory.lockName))
    for store in [store, other] { try store.keep(try StoredSamples.response("d"), StoredSamples.body(100)) }
  }
}
