// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTestStores
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetCache

/// Whatever lies in the directory, nothing wrong is found, and whoever cannot keep something says so.
@Suite struct DiskDamageTests {
  let folder: StoreFolder
  let store: DiskResponseStore

  init() throws {
    folder = try StoreFolder()
    store = DiskResponseStore(directory: folder.url, capacity: 100_000_000)
  }

  private func path(_ name: String) -> String { folder.inner.appendingPathComponent(name).path }

  private func write(_ bytes: Data, _ name: String) throws {
    try bytes.write(to: folder.inner.appendingPathComponent(name))
  }

  private func read(_ name: String) throws -> Data {
    try Data(contentsOf: folder.inner.appendingPathComponent(name))
  }

  private var entry: String { StoreName.hash(of: StoredSamples.key("a")) }

  @Test func everyByteOfASmallOne() throws {
    let (response, body) = (try StoredSamples.response(), StoredSamples.body(50))
    try store.keep(response, body)
    let file = try read(entry)
    for index in file.indices {
      var changed = file
      changed[index] ^= UInt8(1 << (index % 8))
      try write(changed, entry)
      #expect(try store.find(response.key).isEmpty)
      #expect(folder.files.isEmpty, "It is removed.")
    }
    for count in 0..<file.count {
      try write(file.prefix(count), entry)
      #expect(try store.find(response.key).isEmpty)
    }
    try write(file + file, entry)
    #expect(try store.find(response.key).isEmpty)
    try write(file, entry)
    #expect(try store.bodies("a") == [body])
  }

  @Test func largeBodies() throws {
    let (response, body) = (try StoredSamples.response(), StoredSamples.body(300_000))
    try store.keep(response, body)
    let name = try #require(folder.files.first { $0 != entry })
    let (head, file) = (try read(entry), try read(name))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<100 {
      try write(head, entry)
      var changed = file
      changed[Int.random(in: file.indices, using: &random)] ^= .random(in: 1...255, using: &random)
      try write(changed, name)
      let reader = try #require(try store.find(response.key).first)
      #expect(throws: ResponseStoreError.self) { try reader.wholeBody() }
      #expect(try store.find(response.key).isEmpty, "It is removed.")
    }
    for count in [0, 1, 65_543, 65_544, 200_000, file.count - 1, file.count + 1] {
      try write(head, entry)
      try write(count > file.count ? file + [0] : file.prefix(count), name)
      #expect(try store.find(response.key).isEmpty)
    }
    try FileManager.default.removeItem(atPath: path(name))
    #expect(try store.find(response.key).isEmpty)
    // It is cut while it is read.
    try store.keep(response, body)
    let reader = try #require(try store.find(response.key).first)
    let first = try reader.piece(at: 0)
    #expect(first == body.prefix(first.count))
    #expect(truncate(path(try #require(folder.files.first { $0 != entry })), 280_000) == 0)
    #expect(throws: ResponseStoreError.self) { try reader.piece(at: Int64(first.count)) }
  }

  @Test func filesThatAreMixedUp() throws {
    for (name, seed) in [("a", 1), ("b", 2)] as [(String, UInt64)] {
      try store.keep(try StoredSamples.response(name), StoredSamples.body(100_000, seed: seed))
    }
    let other = StoreName.hash(of: StoredSamples.key("b"))
    let bodies = folder.files.filter { $0.contains(".") }
    let (first, second) = (try read(bodies[0]), try read(bodies[1]))
    try write(first, bodies[1])
    try write(second, bodies[0])
    for name in ["a", "b"] {
      let reader = try #require(try store.find(StoredSamples.key(name)).first)
      #expect(throws: ResponseStoreError.self) { try reader.wholeBody() }
    }
    // The variants of another key, which has the same hash, or was given its name.
    try store.keep(try StoredSamples.response("a"), StoredSamples.body(10))
    try write(try read(entry), other)
    #expect(try store.find(StoredSamples.key("b")).isEmpty)
    try store.keep(try StoredSamples.response("b"), StoredSamples.body(20))
    #expect(try store.bodies("b") == [StoredSamples.body(20)])
    #expect(try store.bodies("a") == [StoredSamples.body(10)])
  }

  @Test func whatIsNoFile() throws {
    let victim = folder.url.appendingPathComponent("victim")
    try Data("x".utf8).write(to: victim)
    try store.prepare()
    for kind in ["directory", "pipe", "link", "unreadable"] {
      switch kind {
      case "directory": #expect(mkdir(path(entry), 0o700) == 0)
      case "pipe": #expect(mkfifo(path(entry), 0o600) == 0)
      case "link": #expect(symlink(victim.path, path(entry)) == 0)
      default:
        try write(Data(), entry)
        chmod(path(entry), 0)
      }
      #expect(((try? store.find(StoredSamples.key("a"))) ?? []).isEmpty, "\(kind)")
      if kind == "directory" {
        let error = #expect(throws: ResponseStoreError.self) {
          try store.keep(try StoredSamples.response(), StoredSamples.body(10))
        }
        #expect(error == .failed(call: "renameat", errno: EISDIR))
        #expect(rmdir(path(entry)) == 0)
      } else {
        try store.keep(try StoredSamples.response(), StoredSamples.body(10))
        #expect(try store.bodies("a") == [StoredSamples.body(10)])
        try store.removeVariants(StoredSamples.key("a"))
      }
    }
    #expect(try Data(contentsOf: victim) == Data("x".utf8))
    #expect(folder.files.isEmpty)
  }

  @Test func whatIsNotOursStays() throws {
    try store.keep(try StoredSamples.response(), StoredSamples.body(10))
    for name in ["README", "tmp.x", "0123", entry + ".x"] { try write(Data("x".utf8), name) }
    let usage = store.usage
    try store.removeAllFiles()
    #expect(folder.files.sorted() == ["0123", entry + ".x", "README", "tmp.x"].sorted())
    #expect(usage == 4096 && store.usage == 0)
  }

  @Test func directoriesThatCannotBeUsed() throws {
    func expectRefusal(_ store: DiskResponseStore, _ reason: String) {
      #expect(throws: ResponseStoreError.unusable(directory: store.directory.path, reason: reason)) {
        try store.prepare()
      }
      #expect(throws: ResponseStoreError.self) {
        try store.keep(try StoredSamples.response(), StoredSamples.body(10))
      }
      #expect(((try? store.find(StoredSamples.key("a"))) ?? []).isEmpty)
      #expect(store.usage == 0)
    }
    try store.keep(try StoredSamples.response(), StoredSamples.body(10))
    for mode in [0o755, 0o770, 0o701] as [mode_t] {
      chmod(folder.inner.path, mode)
      expectRefusal(
        DiskResponseStore(directory: folder.url, capacity: 1_000_000), "others own it, or may enter it")
    }
    chmod(folder.inner.path, 0o700)
    #expect(try DiskResponseStore(directory: folder.url, capacity: 1_000_000).bodies("a").count == 1)
    let linked = folder.url.appendingPathComponent("linked")
    try FileManager.default.createDirectory(at: linked, withIntermediateDirectories: false)
    #expect(symlink(folder.inner.path, linked.appendingPathComponent(StoreDirectory.name).path) == 0)
    expectRefusal(DiskResponseStore(directory: linked, capacity: 1_000_000), "it is a symbolic link")
    let file = folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    expectRefusal(DiskResponseStore(directory: file, capacity: 1_000_000), "Not a directory")
    let nowhere = DiskResponseStore(directory: URL(fileURLWithPath: "/proc/nowhere"), capacity: 1_000_000)
    expectRefusal(nowhere, "No such file or directory")
  }

  @Test func directoriesAboveAreMade() throws {
    let deep = folder.url.appendingPathComponent("a/b/c", isDirectory: true)
    let store = DiskResponseStore(directory: deep, capacity: 1_000_000)
    try store.keep(try StoredSamples.response(), StoredSamples.body(10))
    #expect(try store.bodies("a") == [StoredSamples.body(10)])
  }

  // MARK: What others leave

  @Test func whatADeadProcessWasWritingIsRemoved() throws {
    try store.keep(try StoredSamples.response(), StoredSamples.body(10))
    let hash = StoreName.hash(of: StoredSamples.key("a"))
    let living = try store.begin(try StoredSamples.response("b"))
    try living.take(StoredSamples.body(300_000))
    let alive = try #require(folder.files.first { $0.hasPrefix("tmp.") })
    let left = [
      "tmp.0000000000000001", StoreName.body(1, of: hash), StoreName.body(2, of: String(hash.reversed())),
    ]
    for name in left + ["tmp.0000000000000002"] { try write(StoredSamples.body(5_000), name) }
    let longAgo = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
    // The age of a file makes no difference: its writer has it locked.
    for name in left + [alive] { #expect(utimensat(AT_FDCWD, path(name), longAgo, 0) == 0) }
    let later = DiskResponseStore(directory: folder.url, capacity: 100_000_000)
    try later.prepare()
    #expect(folder.files == [hash, alive].sorted())
    // The files that others are writing count.
    #expect(later.usage == 4096 + 262_144 + 4096)
    try living.finish()
    #expect(try later.bodies("b") == [StoredSamples.body(300_000)])
    #expect(try later.bodies("a") == [StoredSamples.body(10)])
  }

  /// Another process was stopped while it had the lock.
  @Test func aLockThatIsNeverGivenBack() throws {
    try store.keep(try StoredSamples.response(), StoredSamples.body(10))
    let lock = open(path(StoreDirectory.lockName), O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let hasty = DiskResponseStore(path: folder.url.path, capacity: 1_000_000, patience: .milliseconds(20))
    #expect(try hasty.bodies("a") == [StoredSamples.body(10)], "Reading needs no lock.")
    #expect(throws: ResponseStoreError.busy) {
      try hasty.keep(try StoredSamples.response("b"), StoredSamples.body(10))
    }
    #expect(throws: ResponseStoreError.busy) { try hasty.removeVariants(StoredSamples.key("a")) }
    #expect(try hasty.bodies("a").isEmpty, "What is to be forgotten is not found any more.")
    #expect(flock(lock, LOCK_UN) == 0)
    try store.keep(try StoredSamples.response("c"), StoredSamples.body(20_000))
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    #expect(throws: ResponseStoreError.busy) { try hasty.removeAllFiles() }
    #expect(try hasty.bodies("c").isEmpty)
  }
}
