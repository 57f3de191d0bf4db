// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Glibc
import Testing

@testable import BluebonnetFiles

/// Whose temporary files are whose, and what becomes of those whose owner is dead.
@Suite struct PrivateDirectoryTests {
  /// A place of the test's own for directories of temporary files.
  private final class Base {
    let url: URL

    init() throws {
      var template = Array("/tmp/bluebonnet-test-XXXXXX".utf8CString)
      let made = mkdtemp(&template)
      try #require(made != nil)
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      url = URL(fileURLWithPath: path, isDirectory: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }

    /// A directory as a process that died has left it: nobody holds its lock.
    func leaveBehind(_ name: String, mode: mode_t = 0o700, files: [String] = ["BluebonnetDownload_1.tmp"])
      throws
      -> URL
    {
      let directory = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      for file in files { try Data("x".utf8).write(to: directory.appendingPathComponent(file)) }
      try #require(chmod(directory.path, mode) == 0)
      return directory
    }
  }

  private func mode(_ path: String) -> mode_t {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
  }

  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  @Test func onlyItsOwnerGetsIn() throws {
    let base = try Base()
    let directory = try PrivateDirectory.make(in: base.url)
    #expect(mode(directory.url.path) == 0o700)
    let file = try directory.create("file").descriptor
    defer { close(file) }
    #expect(mode(directory.url.path + "/file") == 0o600)
    #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func nothingIsWrittenOverOrThroughALink() throws {
    let base = try Base()
    let directory = try PrivateDirectory.make(in: base.url)
    let victim = base.url.appendingPathComponent("victim")
    for name in ["file", "link"] {
      if name == "link" {
        try FileManager.default.createSymbolicLink(
          at: directory.url.appendingPathComponent(name), withDestinationURL: victim)
      } else {
        close(try directory.create(name).descriptor)
      }
      let error = #expect(throws: POSIXError.self) { try directory.create(name) }
      #expect(error?.code == .EEXIST)
    }
    #expect(!exists(victim))
  }

  @Test func whatADeadProcessLeftIsSwept() throws {
    let base = try Base()
    let dead = try base.leaveBehind(
      "bluebonnet.files.abcdef", files: ["BluebonnetDownload_1.tmp", "Alamofire_2"])
    PrivateDirectory.sweep(base.url)
    #expect(!exists(dead))
  }

  @Test func whatALivingProcessUsesStays() throws {
    let base = try Base()
    let living = try PrivateDirectory.make(in: base.url)
    close(try living.create("BluebonnetDownload_1.tmp").descriptor)
    // The lock belongs to the open directory, not to the process: this is what another process would find.
    PrivateDirectory.sweep(base.url)
    #expect(exists(living.url.appendingPathComponent("BluebonnetDownload_1.tmp")))
  }

  @Test func whatIsNotSurelyOursStays() throws {
    let base = try Base()
    let others = [
      try base.leaveBehind("bluebonnet.files.abcdef", mode: 0o755),
      try base.leaveBehind("bluebonnet.files.abcdefg"),
      try base.leaveBehind("bluebonnet.other.abcdef"),
      try base.leaveBehind("bluebonnet.files.kept00", files: [PrivateDirectory.keptMark, "Alamofire_1"]),
    ]
    let elsewhere = try base.leaveBehind("elsewhere")
    try FileManager.default.createSymbolicLink(
      at: base.url.appendingPathComponent("bluebonnet.files.linked"), withDestinationURL: elsewhere)
    PrivateDirectory.sweep(base.url)
    for directory in others + [elsewhere] {
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!files.isEmpty, "\(directory.lastPathComponent)")
    }
  }

  @Test func linksInADeadDirectoryAreRemovedAndNotFollowed() throws {
    let base = try Base()
    let victim = base.url.appendingPathComponent("victim")
    try Data("x".utf8).write(to: victim)
    let dead = try base.leaveBehind("bluebonnet.files.abcdef", files: [])
    try FileManager.default.createSymbolicLink(
      at: dead.appendingPathComponent("link"), withDestinationURL: victim)
    PrivateDirectory.sweep(base.url)
    #expect(exists(victim) && !exists(dead))
  }

  @Test func directoriesInADeadDirectoryStay() throws {
    let base = try Base()
    let dead = try base.leaveBehind("bluebonnet.files.abcdef")
    let inner = dead.appendingPathComponent("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    PrivateDirectory.sweep(base.url)
    #expect(exists(inner))
  }

  @Test func leavingRemovesWhatNobodyWasGiven() throws {
    let base = try Base()
    let directory = try PrivateDirectory.make(in: base.url)
    close(try directory.create("BluebonnetDownload_1.tmp").descriptor)
    directory.leave()
    #expect(base.names.isEmpty)
  }

  @Test func leavingKeepsWhatACallerWasGiven() throws {
    let base = try Base()
    let directory = try PrivateDirectory.make(in: base.url)
    close(try directory.create("BluebonnetDownload_1.tmp").descriptor)
    close(try directory.create("Alamofire_2").descriptor)
    directory.leave()
    #expect(exists(directory.url.appendingPathComponent("Alamofire_2")))
    #expect(!exists(directory.url.appendingPathComponent("BluebonnetDownload_1.tmp")))
    #expect(exists(directory.url.appendingPathComponent(PrivateDirectory.keptMark)))
  }

  @Test func aDirectoryThatWasClearedAwayIsMadeAgain() throws {
    let base = try Base()
    let first = try TemporaryFiles.create("Test", in: base.url)
    close(first.descriptor)
    try FileManager.default.removeItem(at: first.directory.url)
    let second = try TemporaryFiles.create("Test", in: base.url)
    close(second.descriptor)
    #expect(exists(second.url) && second.directory !== first.directory)
  }

  @Test func aFileGetsTheModeThatTheUmaskSays() throws {
    let base = try Base()
    let directory = try PrivateDirectory.make(in: base.url)
    let probe = base.url.appendingPathComponent("probe").path
    close(open(probe, O_WRONLY | O_CREAT, 0o666))
    #expect(directory.modeOfNewFiles == mode(probe))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
  }

  @Test func withoutAPlaceThereIsAnError() {
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all")
    let error = #expect(throws: POSIXError.self) { try TemporaryFiles.create("Test", in: nowhere) }
    #expect(error?.code == .ENOENT)
  }
}
