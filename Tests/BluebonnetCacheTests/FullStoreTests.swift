// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestStores
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetCache

/// A store on disk that is full, has much to clean up, or is read by many loads at a time.
@Suite struct FullStoreTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// The directory is listed once, and not at each insertion. The responses that were stored or used last are found.
  @Test func whatWasUsedLastIsFoundInAFullStore() throws {
    let (capacity, size) = (4_000_000, 4096 + 40_960)
    let store = DiskResponseStore(directory: folder.url, capacity: capacity)
    for number in 0..<500 {
      try store.keep(try StoredSamples.response("\(number)"), StoredSamples.body(40_000))
      #expect(try !store.find(StoredSamples.key("0")).isEmpty, "It is used each time.")
      #expect(store.usage <= capacity)
    }
    let newest = capacity * 9 / 10 / size - 1
    for number in (500 - newest)..<500 {
      #expect(try store.bodies("\(number)") == [StoredSamples.body(40_000)])
    }
    #expect(store.directory.listings == 1)
    #expect(folder.size <= capacity)
  }

  /// Two stores list the directory again when they have added an eighth of the capacity.
  @Test func othersAreNoticedNowAndThen() throws {
    let capacity = 4_000_000
    let stores = (0..<2).map { _ in DiskResponseStore(directory: folder.url, capacity: capacity) }
    for number in 0..<400 {
      try stores[number % 2].keep(try StoredSamples.response("\(number)"), StoredSamples.body(40_000))
      #expect(folder.size <= capacity + 2 * (capacity / 8 + 50_000))
    }
    for store in stores {
      #expect(store.directory.listings > 1 && store.directory.listings <= 200 * 45_056 / (capacity / 8) + 2)
      // The responses of others can only be seen on the disk.
      #expect(!store.surelyLacks(StoredSamples.key("nothing")))
    }
    #expect(try stores[0].bodies("399") == [StoredSamples.body(40_000)])
  }

  @Test func aStoreOfOneProcessKnowsWhatItLacks() throws {
    let store = DiskResponseStore(directory: folder.url, capacity: 1_000_000)
    #expect(!store.surelyLacks(StoredSamples.key("a")), "Nothing has been counted.")
    try store.keep(try StoredSamples.response("a"), StoredSamples.body(10))
    #expect(!store.surelyLacks(StoredSamples.key("a")) && store.surelyLacks(StoredSamples.key("b")))
    try store.removeVariants(StoredSamples.key("a"))
    #expect(store.surelyLacks(StoredSamples.key("a")))
  }

  /// Files that dead processes have left do not count, and are removed in the background.
  @Test func leftoversHoldNothingUp() async throws {
    let store = DiskResponseStore(directory: folder.url, capacity: 1_000_000)
    try store.keep(try StoredSamples.response("a"), StoredSamples.body(20_000))
    for number in 0..<300 as Range<UInt64> {
      let stray =
        number % 2 == 0
        ? StoreDirectory.temporaryPrefix + StoreDirectory.hexadecimal(number)
        : StoreName.body(number, of: StoreName.hash(of: StoredSamples.key("nobody's")))
      try StoredSamples.body(20_000).write(to: folder.inner.appendingPathComponent(stray))
    }
    let living = try store.begin(try StoredSamples.response("b"))
    try living.take(StoredSamples.body(20_000))
    let next = DiskResponseStore(directory: folder.url, capacity: 1_000_000)
    try next.keep(try StoredSamples.response("c"), StoredSamples.body(20_000))
    #expect(try next.bodies("a").count == 1 && next.bodies("c").count == 1)
    await Eventually.expect("They are removed.") { [folder] in folder.files.count == 5 }
    #expect(next.directory.listings == 1)
    try living.finish()
    #expect(try next.bodies("b") == [StoredSamples.body(20_000)])
  }

  /// A step looks at no more files than it may.
  @Test func cleaningGoesInSteps() throws {
    let store = DiskResponseStore(directory: folder.url, capacity: 1_000_000)
    try store.prepare()
    let names = (0..<10 as Range<UInt64>).map {
      StoreDirectory.temporaryPrefix + StoreDirectory.hexadecimal($0)
    }
    for name in names { try Data("x".utf8).write(to: folder.inner.appendingPathComponent(name)) }
    store.state.withLock { $0.leftovers = names.map { .temporary($0, size: 4096) } }
    for left in [7, 4, 1, 0] {
      let isMore = try store.changing { () throws(ResponseStoreError) in store.clean(3) }
      #expect(isMore == (left > 0) && folder.files.count == left)
    }
  }

  /// Many loads may have found bodies, and wait for connections.
  @Test func whatHasBeenFoundTakesFewDescriptors() throws {
    let store = DiskResponseStore(directory: folder.url, capacity: 10_000_000)
    let (old, new) = (StoredSamples.body(40_000), StoredSamples.body(40_000, seed: 2))
    try store.keep(try StoredSamples.response(), old)
    var readers: [DiskResponseReader] = []
    for _ in 0..<300 { readers += try store.find(StoredSamples.key("a")) }
    #expect(readers.count == 300)
    #expect(folder.descriptors <= DiskResponseStore.openLimit + 2, "The directory and the lock, too.")
    #expect(try readers[299].wholeBody() == old)
    try store.keep(try StoredSamples.response(), new)
    #expect(try readers[0].wholeBody() == old, "Its file is open.")
    #expect(try readers[299].wholeBody() == old, "Its file has been open since it was read.")
    #expect(throws: ResponseStoreError.self) { try readers[298].wholeBody() }
    #expect(try store.bodies("a") == [new], "The newer one is not to blame.")
    readers = []
    #expect(try store.find(StoredSamples.key("a")).count == 1)
    #expect(store.state.withLock { $0.openBodies } <= 1)
  }
}

extension StoreFolder {
  /// The number of this process's descriptors of files in it.
  var descriptors: Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.count { name in
      var buffer = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(name)", &buffer, buffer.count - 1)
      guard length > 0 else { return false }
      return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self).hasPrefix(
        url.path)
    }
  }
}
