// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages
import BluebonnetTestStores
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetCache

/// The bounds of the writes that wait for a store (RFC 9111 §3).
@Suite struct WriteBacklogTests {
  /// Keeps a response as a load does that has brought it.
  @discardableResult
  private func keep(
    _ name: String, _ body: Data, in storage: ResponseStorage, at time: Double = 1_700_000_000,
    variant: [StoredResponse.RequestField] = []
  ) throws -> Task<Void, Never>? {
    let response = try StoredSamples.response(name, variant: variant, at: time)
    return storage.keep(
      response, CachedURLResponse(response: response.urlResponse, data: body), askedFor: .infinity)
  }

  /// Counts the bodies that are not stored.
  private final class Refusals: Sendable {
    private let members = Locked(0)
    var count: Int { members.withLock { $0 } }
    func add() { members.withLock { $0 += 1 } }
  }

  /// Takes a body that is too large for the memory to the store, as a load does.
  private func keeper(
    _ name: String, in storage: ResponseStorage, _ loop: EventLoop, _ refusals: Refusals
  ) throws -> CacheWriter {
    CacheWriter(
      try StoredSamples.response(name), in: storage, askedFor: .infinity, loop: loop,
      gaveUp: { refusals.add() }, release: {})
  }

  private func isFound(_ name: String, in storage: ResponseStorage) async throws -> Bool {
    try await storage.store?.responses(for: StoredSamples.key(name)).isEmpty == false
  }

  // MARK: On disk

  /// A store on disk. Its writes wait for a lock that the test holds.
  private final class HeldDisk: Sendable {
    let folder: StoreFolder
    let disk: DiskResponseStore
    let storage: ResponseStorage
    private let lock: Int32

    init() throws {
      folder = try StoreFolder()
      disk = DiskResponseStore(path: folder.url.path, capacity: 400_000_000, patience: .seconds(3600))
      storage = ResponseStorage(memoryCapacity: 0, disk: disk)
      try disk.prepare()
      lock = open(folder.inner.appendingPathComponent(StoreDirectory.lockName).path, O_RDWR | O_CLOEXEC)
    }

    func hold() { #expect(flock(lock, LOCK_EX | LOCK_NB) == 0) }
    func letGo() { close(lock) }
    var backlog: WriteBacklog { storage.budget.backlog }
    var isIdle: Bool {
      backlog.count == 0 && backlog.streams == 0 && backlog.collected == 0
        && storage.waiting.withLock { $0.writes.isEmpty }
    }
  }

  @Test func thousandsOfStoresThatWait() async throws {
    let held = try HeldDisk()
    let (storage, loop, refusals) = (held.storage, EventLoop(name: "keepers"), Refusals())
    for name in ["late", "other"] { try held.disk.keep(try StoredSamples.response(name), Data("old".utf8)) }
    let before = held.folder.descriptors
    held.hold()
    let body = StoredSamples.body(40_000)
    for number in 0..<3000 {
      try keep("small \(number)", body.prefix(1000), in: storage)
      let keeper = try keeper("large \(number)", in: storage, loop, refusals)
      loop.withLoop {
        for piece in 0..<4 { #expect(!keeper.append(body.dropFirst(piece * 10_000).prefix(10_000))) }
        _ = keeper.commit()
      }
      #expect(held.backlog.count <= WriteBacklog.countLimit && held.backlog.bytes <= WriteBacklog.byteLimit)
    }
    #expect(held.folder.descriptors <= before + 1)
    #expect(held.backlog.count == WriteBacklog.countLimit)
    // A response that is not stored and replaces none leaves no change to be made.
    #expect(storage.waiting.withLock { $0.writes.count } == WriteBacklog.countLimit)
    // An older response is not found any more if a newer one could not be stored.
    #expect(try await isFound("late", in: storage))
    try keep("late", body, in: storage)
    #expect(try await !isFound("late", in: storage))
    #expect(try await isFound("other", in: storage))
    held.letGo()
    await Eventually.expect("All is written.") { held.isIdle }
    #expect(try held.disk.bodies("late").isEmpty && held.disk.bodies("other").count == 1)
    #expect(try held.disk.bodies("small 0") == [body.prefix(1000)])
    #expect(try held.disk.bodies("large 0") == [body])
    #expect(try held.disk.bodies("large 2999").isEmpty)
    // From now on there is room again.
    try await keep("late", body, in: storage)?.value
    #expect(try held.disk.bodies("late") == [body])
    #expect(!held.folder.files.contains { $0.hasPrefix(StoreDirectory.temporaryPrefix) })
    #expect(held.folder.descriptors <= before + 1 && refusals.count == 0 && storage.lastFailure == nil)
  }

  /// Bodies that are too large to be collected: a few are written while they come, and the others are not stored.
  @Test func largeBodiesThatComeAtOnce() async throws {
    let held = try HeldDisk()
    let (storage, loop, refusals) = (held.storage, EventLoop(name: "keepers"), Refusals())
    let piece = StoredSamples.body(100_000)
    try held.disk.keep(try StoredSamples.response("99"), Data("old".utf8))
    let before = held.folder.descriptors
    var keepers = try (0..<100).map { try keeper("\($0)", in: storage, loop, refusals) }
    for keeper in keepers {
      loop.withLoop { for _ in 0..<4 { _ = keeper.append(piece) } }
      #expect(held.backlog.collected <= WriteBacklog.collectedLimit)
      #expect(held.backlog.streams <= WriteBacklog.streamLimit)
    }
    #expect(refusals.count == 100 - WriteBacklog.streamLimit)
    #expect(held.folder.descriptors <= before + WriteBacklog.streamLimit)
    let last = loop.withLoop { keepers.map { $0.commit() }[0] }
    await last?.value
    keepers = []
    await Eventually.expect("All is written.") { held.isIdle }
    #expect(try held.disk.bodies("0").map(\.count) == [400_000])
    #expect(try held.disk.bodies("50").isEmpty && held.disk.bodies("99").isEmpty)
    #expect(!held.folder.files.contains { $0.hasPrefix(StoreDirectory.temporaryPrefix) })
  }

  /// Bodies that do not end take up a bounded amount of memory, and give it back.
  @Test func bodiesThatAreGivenUp() async throws {
    let held = try HeldDisk()
    let (loop, refusals) = (EventLoop(name: "keepers"), Refusals())
    var keepers = try (0..<60).map { try keeper("\($0)", in: held.storage, loop, refusals) }
    let piece = StoredSamples.body(200_000)
    for keeper in keepers { loop.withLoop { _ = keeper.append(piece) } }
    #expect(held.backlog.collected == WriteBacklog.collectedLimit / 200_000 * 200_000)
    #expect(held.backlog.streams == WriteBacklog.streamLimit)
    keepers = []
    await Eventually.expect("Nothing is left of them.") { held.isIdle && held.folder.files.isEmpty }
  }

  // MARK: Turns

  /// Of many responses of one address, the newest is written, in the turn of the first.
  @Test func aNewerResponseTakesThePlaceOfOneThatWaits() async throws {
    let store = SlowStore()
    let storage = ResponseStorage(memoryCapacity: 0, store: store)
    store.hold(.commit)
    try keep("first", Data(), in: storage)
    await Eventually.expect("It is being written.") { store.isHolding }
    var turn: Task<Void, Never>?
    for number in 0..<1000 {
      for name in ["a", "b"] { turn = try keep(name, Data("\(number)".utf8), in: storage) }
    }
    #expect(storage.budget.backlog.count == 3)
    store.letGo()
    await turn?.value
    #expect(store.commits == 3 && store.bodies == [Data("999".utf8), Data("999".utf8), Data()])
  }

  @Test func variantsDoNotTakeEachOthersPlace() async throws {
    let held = try HeldDisk()
    held.hold()
    try keep("first", Data(), in: held.storage)
    await Eventually.expect("It is being written.") {
      held.storage.waiting.withLock { $0.writes.values.contains { $0.change == nil } }
    }
    var turn: Task<Void, Never>?
    for language in ["de", "en", "de"] {
      turn = try keep(
        "a", Data(language.utf8), in: held.storage,
        variant: [.init(name: "accept-language", value: language)])
    }
    #expect(held.backlog.count == 3)
    held.letGo()
    await turn?.value
    await Eventually.expect("All is written.") { held.isIdle }
    #expect(try held.disk.bodies("a").count == 2)
  }

  /// A newer response comes after the changes that were asked for between it and the older one.
  @Test(arguments: ["one", "all", "body"]) func theOrderIsKept(between: String) async throws {
    let store = SlowStore()
    let storage = ResponseStorage(memoryCapacity: 0, store: store)
    store.hold(.commit)
    try keep("first", Data(), in: storage)
    await Eventually.expect("It is being written.") { store.isHolding }
    try keep("a", Data("old".utf8), in: storage)
    switch between {
    case "one": for _ in 0..<100 { storage.remove(StoredSamples.key("a")) }
    case "all": _ = storage.removeAll()
    default:
      let (loop, refusals) = (EventLoop(name: "keepers"), Refusals())
      let keeper = try keeper("a", in: storage, loop, refusals)
      loop.withLoop {
        _ = keeper.append(Data(repeating: 0, count: WriteBacklog.collectedLimitOfEach + 1))
        _ = keeper.commit()
      }
    }
    let turn = try keep("a", Data("new".utf8), in: storage)
    store.letGo()
    await turn?.value
    #expect(store.bodies.first == Data("new".utf8))
    storage.remove(StoredSamples.key("a"))
    await storage.removeAll()?.value
    #expect(store.count == 0)
  }

  @Test func newHeadsAreBoundedToo() async throws {
    let store = SlowStore()
    let storage = ResponseStorage(memoryCapacity: 0, store: store)
    let responses = try (0..<400).map { try StoredSamples.response("\($0)") }
    for response in responses { await storage.keepInStore(response, Data(), askedFor: .infinity)?.value }
    #expect(store.count == 400)
    store.hold(.commit)
    try keep("first", Data(), in: storage)
    await Eventually.expect("It is being written.") { store.isHolding }
    for _ in 0..<10 { for response in responses { storage.update(response) } }
    #expect(storage.budget.backlog.count == WriteBacklog.countLimit)
    #expect(try await !isFound("399", in: storage), "Its head is out of date.")
    store.letGo()
    await Eventually.expect("All is written.") { storage.budget.backlog.count == 0 }
    await storage.removeAll(since: .distantFuture)?.value
    #expect(store.updates == WriteBacklog.countLimit - 1)
  }

  /// If too many responses wait to be removed, none that came before is found any more.
  @Test func moreThanCanBeRemovedOneByOne() async throws {
    let store = SlowStore()
    let storage = ResponseStorage(memoryCapacity: 0, store: store)
    for name in ["old", "later"] { try await keep(name, Data(), in: storage)?.value }
    store.hold(.commit)
    try keep("first", Data(), in: storage)
    await Eventually.expect("It is being written.") { store.isHolding }
    // The one that is being written counts.
    for number in 1..<(WriteBacklog.countLimit + WriteBacklog.displacementLimit) {
      try keep("\(number)", Data(), in: storage)
    }
    #expect(try await isFound("old", in: storage))
    for number in 0..<100 { try keep("more \(number)", Data(), in: storage) }
    #expect(try await !isFound("old", in: storage))
    let waiting = storage.waiting.withLock { $0.writes.count }
    #expect(waiting <= WriteBacklog.countLimit + WriteBacklog.displacementLimit)
    store.letGo()
    await Eventually.expect("There is room again.") { storage.budget.backlog.count == 0 }
    try await keep("later", Data(), in: storage, at: Date().timeIntervalSince1970 + 1)?.value
    #expect(try await isFound("later", in: storage))
    #expect(try await !isFound("old", in: storage))
  }

  // MARK: The value

  @Test func aCallerThatWaitsIsNeverRefused() {
    var backlog = WriteBacklog()
    let answers = [
      backlog.wait(WriteBacklog.byteLimit * 2, isAwaited: false), backlog.wait(1, isAwaited: false),
      backlog.wait(1, isAwaited: true),
    ]
    #expect(answers == [true, false, true], "A response that is larger than the limit waits alone.")
    #expect(backlog.count == 2)
    let budget = WriteBudget()
    let share = budget.wait(100, isAwaited: false)
    #expect(budget.backlog.bytes == 100)
    share?.giveBack()
    share?.giveBack()
    #expect(budget.backlog.bytes == 0 && budget.backlog.count == 0)
  }
}
