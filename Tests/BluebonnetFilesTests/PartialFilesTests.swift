// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import Glibc
import Testing

@testable import BluebonnetFiles

/// Where the parts of downloads lie, who gets at them, and how long they stay.
@Suite struct PartialFilesTests {
  private let base: URL

  init() throws {
    var template = Array("/tmp/bluebonnet-test-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    try #require(made != nil)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    base = URL(fileURLWithPath: path, isDirectory: true)
  }

  private func file(_ text: String = "0123456789") throws -> URL {
    let url = base.appendingPathComponent("file-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    return url
  }

  private func path(_ location: PartLocation) -> String {
    "\(base.path)/\(location.directory)/\(location.name)"
  }

  private func mode(_ path: String) -> mode_t {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
  }

  private func age(_ path: String, by seconds: Int) {
    let then = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
    let times = [then, then]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test func whatIsKeptCanBeOpened() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let url = try file()
    let location = try #require(try PartialFiles.keep(url, in: base, isAskedFor: true))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(mode("\(base.path)/\(location.directory)") == 0o700)
    let part = try #require(try PartialFiles.open(location, at: 4, in: base))
    #expect(write(part.descriptor, "abc", 3) == 3)
    #expect(fcntl(part.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    // In use.
    #expect(try PartialFiles.open(location, at: 4, in: base) == nil)
    part.close()
    #expect(try Data(contentsOf: part.url) == Data("0123abc".utf8), "What was beyond the offset is cut off.")
    // Shorter than it says.
    #expect(try PartialFiles.open(location, at: 8, in: base) == nil)
    #expect(try Data(contentsOf: part.url).count == 7)
  }

  /// A child shares it between `fork` and `exec`, whoever starts it: the part must not count as in use for that.
  @Test func theLockGoesThoughTheOpenFileIsShared() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let location = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    let part = try #require(try PartialFiles.open(location, at: 4, in: base))
    let shared = dup(part.descriptor)
    defer { close(shared) }
    part.close()
    try #require(try PartialFiles.open(location, at: 4, in: base)).close()
  }

  @Test func whatOthersCanReachIsNotOpened() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let location = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    let directory = "\(base.path)/\(location.directory)"
    for mode in [0o755, 0o701, 0o1700] as [mode_t] {
      #expect(chmod(directory, mode) == 0)
      #expect(try PartialFiles.open(location, at: 1, in: base) == nil)
    }
    #expect(chmod(directory, 0o700) == 0)
    let moved = base.appendingPathComponent("moved").path
    #expect(rename(directory, moved) == 0 && symlink(moved, directory) == 0)
    #expect(try PartialFiles.open(location, at: 1, in: base) == nil)
  }

  @Test func aDirectoryThatWasClearedAwayIsMadeAgain() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let first = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    try FileManager.default.removeItem(atPath: "\(base.path)/\(first.directory)")
    let second = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    #expect(second.directory != first.directory && FileManager.default.fileExists(atPath: path(second)))
  }

  @Test func whatIsTooOldIsSwept() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let old = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    let used = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    let young = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    let part = try #require(try PartialFiles.open(used, at: 10, in: base))
    for location in [old, used] { age(path(location), by: PartialFiles.lifetime + 60) }
    age(path(young), by: PartialFiles.lifetime - 3600)
    let other = "\(base.path)/\(old.directory)/other"
    try Data().write(to: URL(fileURLWithPath: other))
    age(other, by: PartialFiles.lifetime * 2)
    let empty = "\(base.path)/bluebonnet.partial.empty1"
    #expect(mkdir(empty, 0o700) == 0)
    PartialFiles.sweep(base)
    #expect(!FileManager.default.fileExists(atPath: path(old)))
    #expect(!FileManager.default.fileExists(atPath: empty))
    for kept in [path(used), path(young), other] { #expect(FileManager.default.fileExists(atPath: kept)) }
    part.close()
    PartialFiles.sweep(base)
    #expect(!FileManager.default.fileExists(atPath: path(used)))
  }

  @Test func whatNobodyAskedForIsBounded() throws {
    defer { try? FileManager.default.removeItem(at: base) }
    let asked = try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: true))
    var kept: [PartLocation] = []
    for _ in 0..<(PartialFiles.unaskedLimit + 64) {
      kept.append(try #require(try PartialFiles.keep(try file(), in: base, isAskedFor: false)))
    }
    // Other tests may keep some at the same time, so there may be fewer of these.
    let there = kept.filter { FileManager.default.fileExists(atPath: path($0)) }
    #expect(there.count <= PartialFiles.unaskedLimit && there == Array(kept.suffix(there.count)))
    #expect(FileManager.default.fileExists(atPath: path(asked)))
  }
}
