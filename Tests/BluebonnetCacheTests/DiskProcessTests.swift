// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestStores
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetCache

/// Processes that share a directory, are killed, or run out of room. Each in a process of its own.
@Suite struct DiskProcessTests {
  /// A body that says whose it is: any mixture of two would show.
  private static func body(_ name: String, _ seed: UInt64, _ length: Int) -> Data {
    var body = Data("\(name) \(seed) \(length) ".utf8)
    body.append(StoredSamples.body(max(0, length - body.count), seed: seed))
    return body
  }

  private static let lengths = [100, 10_000, 20_000, 150_000, 700_000]

  private static func keep(_ store: DiskResponseStore, _ name: String, _ seed: UInt64) throws {
    let body = body(name, seed, lengths[Int(seed % 5)])
    let response = try StoredSamples.response(
      name, at: Double(seed % 1_000_000), fields: [.init(name: "X-Seed", value: "\(seed)")],
      length: seed % 2 == 0 ? Int64(body.count) : nil)
    try store.keep(response, body, pieces: 50_000)
  }

  /// Whether all that is found is as it was written.
  ///
  /// - Returns: How much that is.
  private static func check(_ store: DiskResponseStore, _ names: Range<Int>) throws -> Int {
    var count = 0
    for name in names.map({ "\($0)" }) {
      for reader in try store.find(StoredSamples.key(name)) {
        let value = try #require(reader.response.fields.first { $0.name == "X-Seed" }?.value)
        let seed = try #require(UInt64(value))
        let whole = try reader.wholeBody()
        try #require(whole == body(name, seed, lengths[Int(seed % 5)]))
        // An update changes the head only.
        try #require(reader.response.responseTime.timeIntervalSince1970 == Double(seed % 1_000_000) + 0.25)
        count += 1
      }
    }
    return count
  }

  /// Writes, replaces, updates and removes.
  private static func work(_ store: DiskResponseStore, seed: UInt64, steps: Int, names: Range<Int>) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<steps {
      let name = "\(Int.random(in: names, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try store.removeVariants(StoredSamples.key(name))
      case 1, 2:
        for reader in try store.find(StoredSamples.key(name)) {
          var head = reader.response
          head.fields.append(.init(name: "X-More", value: "1"))
          _ = try store.updateHead(head)
        }
      default: try keep(store, name, .random(in: 0...UInt64(Int64.max), using: &random))
      }
    }
  }

  /// A process is killed again and again while it writes: before each of its first 40 calls, with two sequences of steps, or
  /// five in the stage *stress*. Nothing wrong is found afterwards, and no response that was complete is lost.
  @Test(.enabled(if: NumberedKill.isPossible)) func killedAtEachCall() async throws {
    let folder = try StoreFolder()
    var left = Set<String>()
    for round in 0..<(Repetitions.busyCount > 0 ? 200 : 80) {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = folder.url.path as String, round = round as Int] in
        let store = DiskResponseStore(path: path, capacity: 20_000_000)
        // Once more before it can be killed: the number says that the round began.
        try Self.keep(store, "round", UInt64(round))
        try NumberedKill.arm(before: round % 40, of: [.openat, .write, .renameat, .unlinkat])
        try Self.work(store, seed: UInt64(round / 40), steps: 1000, names: 0..<8)
      }
      left.formUnion(folder.files.filter { $0.hasPrefix("tmp.") })
      let store = DiskResponseStore(directory: folder.url, capacity: 20_000_000)
      _ = try Self.check(store, 0..<8)
      let last = try #require(try store.find(StoredSamples.key("round")).first)
      #expect(last.response.fields.first?.value == "\(round)")
      #expect(try last.wholeBody() == Self.body("round", UInt64(round), Self.lengths[round % 5]))
      // What the dead have left goes, at the latest when all is removed that belongs to nobody.
      if round % 40 == 39 {
        try store.prepare()
        #expect(!folder.files.contains { $0.hasPrefix("tmp.") })
      }
    }
    #expect(!left.isEmpty, "Some were killed while they wrote.")
    let store = DiskResponseStore(directory: folder.url, capacity: 20_000_000)
    #expect(try Self.check(store, 0..<8) > 0)
    try store.removeAllFiles()
    #expect(folder.files.isEmpty, "No body is left that nobody knows of.")
  }

  /// Three processes at once, of which two write and remove what the third reads, too.
  @Test func severalProcesses() async throws {
    let folder = try StoreFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .exitCode(7)) {
            [path = folder.url.path as String, number = number as Int] in
            let store = DiskResponseStore(path: path, capacity: 20_000_000)
            if number == 2 {
              for _ in 0..<60 { _ = try Self.check(store, 0..<6) }
            } else {
              try Self.work(store, seed: UInt64(number), steps: 300, names: 0..<6)
            }
            _ = try Self.check(store, 0..<6)
            exit(7)
          }
        }
      }
      try await group.waitForAll()
    }
    let store = DiskResponseStore(directory: folder.url, capacity: 20_000_000)
    try store.prepare()
    #expect(try Self.check(store, 0..<6) > 0)
    #expect(folder.size <= 20_000_000 + 2 * 2_500_000)
    try store.removeAllFiles()
    #expect(folder.files.isEmpty)
  }

  @Test func filesThatMayNotGrow() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let folder = try StoreFolder()
      let store = DiskResponseStore(directory: folder.url, capacity: 100_000_000)
      try store.keep(try StoredSamples.response(), StoredSamples.body(10))
      // Beyond this size every write fails, as on a full disk, instead of killing the process.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: .max)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let writer = try store.begin(try StoredSamples.response())
      do {
        try writer.take(StoredSamples.body(300_000))
        exit(1)
      } catch ResponseStoreError.failed(call: "write", errno: EFBIG) {}
      do {
        try writer.finish()
        exit(2)
      } catch ResponseStoreError.finished {}
      try #require(folder.files.count == 1)
      try #require(try store.bodies("a") == [StoredSamples.body(10)])
      try #require(store.usage == 4096)
      // Not even a head.
      limit.rlim_cur = 60
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      do {
        try store.keep(try StoredSamples.response(), StoredSamples.body(20))
        exit(3)
      } catch ResponseStoreError.failed(call: "write", errno: EFBIG) {}
      try #require(try store.bodies("a") == [StoredSamples.body(10)])
      try #require(folder.files.count == 1)
      try store.removeVariants(StoredSamples.key("a"))
      try #require(folder.files.isEmpty)
      try FileManager.default.removeItem(at: folder.url)
      exit(7)
    }
  }

  /// A file system of 1 MB.
  @Test func aFullDisk() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let folder = try StoreFolder()
      guard let unshare = dlsym(nil, "unshare") else { exit(1) }
      let newMounts: Int32 = 0x0002_0000
      let isAlone = unsafeBitCast(unshare, to: (@convention(c) (Int32) -> Int32).self)(newMounts) == 0
      // Nobody else is to see what is mounted here.
      let isPrivate = isAlone && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
      guard isPrivate, mount("none", folder.url.path, "tmpfs", 0, "size=1m,mode=700") == 0 else {
        print("File systems cannot be mounted: the test of a full disk is skipped.")
        exit(7)
      }
      let store = DiskResponseStore(directory: folder.url, capacity: 100_000_000)
      var kept = 0
      var isFull = false
      for number in 0..<200 where !isFull {
        do {
          try Self.keep(store, "\(number % 8)", UInt64(number))
          kept += 1
        } catch ResponseStoreError.failed(_, errno: ENOSPC) {
          isFull = true
        }
      }
      try #require(isFull && kept > 0)
      try #require(!folder.files.contains { $0.hasPrefix("tmp.") })
      for round in 0..<100 {
        try? Self.keep(store, "\(round % 8)", UInt64(1000 + round))
        try #require(try Self.check(store, 0..<8) > 0)
      }
      try store.removeAllFiles()
      try Self.keep(store, "0", 2)
      try #require(try Self.check(store, 0..<8) == 1)
      // The store has its directory open: it goes when the process does.
      let detach: Int32 = 2
      try #require(umount2(folder.url.path, detach) == 0)
      try FileManager.default.removeItem(at: folder.url)
      exit(7)
    }
  }
}
