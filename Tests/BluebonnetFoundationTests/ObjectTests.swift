// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Testing

/// What the API needs of objects, locks and bundles, whether they are Foundation's or our own.
@Suite struct ObjectTests {
  private final class Numbered: NSObject {
    let number: Int
    init(_ number: Int) { self.number = number }
    override func isEqual(_ object: Any?) -> Bool { (object as? Numbered)?.number == number }
    override var hash: Int { number }
  }

  @Test func objectsAreThemselvesUnlessAClassKnowsBetter() {
    let (one, other) = (NSObject(), NSObject())
    #expect(one == one && one != other && one.isEqual(one) && !one.isEqual(nil) && !one.isEqual(other))
    #expect(Set([one, other, one]).count == 2)
    #expect(Numbered(1) == Numbered(1) && Numbered(1) != Numbered(2))
    #expect(Set([Numbered(1), Numbered(1), Numbered(2)]).count == 2)
    #expect(!one.description.isEmpty)
    #expect(NSNull() == NSNull() && NSNull().isEqual(NSNull()) && !NSNull().isEqual(nil))
  }

  @Test func aLockLetsOneIn() async {
    let lock = NSLock()
    nonisolated(unsafe) var count = 0
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { lock.withLock { count += 1 } } }
      }
    }
    #expect(count == 4000)
  }

  @Test func aClosedLockCanBeTried() {
    let lock = NSLock()
    #expect(lock.try())
    #expect(!lock.try())
    lock.unlock()
    #expect(lock.withLock { 7 } == 7)
    #expect(lock.try())
    lock.unlock()
  }

  @Test func aBundleFindsItsFiles() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet bundle \(UUID.random().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    for name in ["b.cer", "a.cer", "c.der", "plain"] {
      try Data().write(to: directory.appendingPathComponent(name))
    }
    let bundle = try #require(Bundle(path: directory.path))
    #expect(bundle.bundlePath == directory.path)
    let paths = bundle.paths(forResourcesOfType: "cer", inDirectory: nil)
    let names = paths.map { path in path.split(separator: "/").last.map(String.init) ?? "" }
    #expect(names.sorted() == ["a.cer", "b.cer"])
    #expect(bundle.url(forResource: "c", withExtension: "der")?.lastPathComponent == "c.der")
    #expect(bundle.url(forResource: "d", withExtension: "der") == nil)
    #expect(bundle.bundleIdentifier == nil)
    #expect(Bundle(path: directory.path + "/none") == nil)
    #expect(!Bundle.main.bundlePath.isEmpty)
  }

  /// The numbers are Apple's here, and others in Foundation for Linux; nobody is to rely on them.
  @Test func qualitiesAreFive() {
    let qualities: [QualityOfService] = [.userInteractive, .userInitiated, .utility, .background, .default]
    #expect(Set(qualities).count == 5)
    for quality in qualities { #expect(QualityOfService(rawValue: quality.rawValue) == quality) }
  }
}
