// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// Storages in files, and the files themselves.
@Suite struct CookieFileTests {
  private let folder: URL

  init() throws {
    folder = URL(
      fileURLWithPath: FileManager.default.temporaryDirectory.path + "/cookies-\(UUID.random().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var path: URL { folder.appendingPathComponent("cookies.txt") }

  private func done() { try? FileManager.default.removeItem(at: folder) }

  private func cookie(_ line: String, from address: String = "https://www.example.org/") throws -> HTTPCookie
  {
    let url = try #require(URL(string: address))
    return try #require(HTTPCookie(setCookie: line, from: url))
  }

  private func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  private func names(_ storage: HTTPCookieStorage) -> [String]? { storage.cookies?.map(\.name) }

  @Test func aStorageOutlivesItself() throws {
    defer { done() }
    let storage = try HTTPCookieStorage(file: path)
    #expect(storage.cookies == [] && storage.file == path && storage.lastSaveError == nil)
    storage.setCookie(try cookie("a=b; Max-Age=1000; Domain=example.org; HttpOnly; Secure; Path=/p"))
    storage.setCookie(try cookie("session=1"))
    try storage.save()
    let again = try HTTPCookieStorage(file: path)
    #expect(names(again) == ["a"])
    let kept = try #require(again.cookies?.first)
    #expect(kept.domain == ".example.org" && kept.path == "/p" && kept.isSecure && kept.isHTTPOnly)
    #expect(try #require(kept.expiresDate).timeIntervalSinceNow > 990)
    let lines = try text(path).split(separator: "\n")
    #expect(lines.first == "# Netscape HTTP Cookie File")
    #expect(lines.last?.hasPrefix("#HttpOnly_.example.org\tTRUE\t/p\tTRUE\t") == true)
  }

  @Test func sessionCookiesAreKeptIfAsked() throws {
    defer { done() }
    let storage = try HTTPCookieStorage(file: path, keepsSessionCookies: true)
    storage.setCookie(try cookie("session=1"))
    try storage.save()
    let again = try HTTPCookieStorage(file: path)
    #expect(names(again) == ["session"])
    #expect(again.cookies?.first?.isSessionOnly == true)
    // This one does not keep them.
    try again.save()
    #expect(names(try HTTPCookieStorage(file: path)) == [])
  }

  @Test func aChangeIsWrittenByItself() async throws {
    defer { done() }
    let storage = try HTTPCookieStorage(file: path)
    for number in 0..<20 { storage.setCookie(try cookie("c\(number)=1; Max-Age=1000")) }
    let path = self.path
    await Eventually.expect("the file is written") {
      (try? CookieFile(contentsOf: path).cookies.count) == 20
    }
    storage.removeCookies(since: .distantPast)
    await Eventually.expect("and once more") { (try? CookieFile(contentsOf: path).cookies.count) == 0 }
  }

  @Test func theFileIsPrivateAndWhole() throws {
    defer { done() }
    try Data("old".utf8).write(to: path)
    chmod(path.path, 0o644)
    let link = folder.appendingPathComponent("link")
    #expect(symlink("cookies.txt", link.path) == 0)
    let storage = try HTTPCookieStorage(file: link)
    storage.setCookie(try cookie("a=b; Max-Age=1000"))
    try storage.save()
    var facts = stat()
    #expect(lstat(path.path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    #expect(lstat(link.path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
    #expect(try CookieFile(contentsOf: path).cookies.count == 1)
    // Nothing is left beside it.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["cookies.txt", "link"])
  }

  @Test func whatCannotBeReadOrWrittenIsSaid() throws {
    defer { done() }
    #expect(throws: POSIXError(.EISDIR)) { try HTTPCookieStorage(file: folder) }
    #expect(throws: CocoaError.self) { try HTTPCookieStorage(file: URL(fileURLWithPath: "/dev/zero")) }
    let lost = folder.appendingPathComponent("nowhere/cookies.txt")
    let storage = try HTTPCookieStorage(file: lost)
    storage.setCookie(try cookie("a=b; Max-Age=1000"))
    #expect(throws: POSIXError(.ENOENT)) { try storage.save() }
    #expect(storage.lastSaveError as? POSIXError == POSIXError(.ENOENT))
    try FileManager.default.createDirectory(
      at: lost.deletingLastPathComponent(), withIntermediateDirectories: true)
    try storage.save()
    #expect(storage.lastSaveError == nil)
    let file = CookieFile(cookies: storage.cookies ?? [])
    #expect(throws: POSIXError(.EISDIR)) { try file.write(to: folder) }
    try file.write(to: URL(fileURLWithPath: "/dev/null"))
  }

  @Test func garbageGivesNoCookies() throws {
    defer { done() }
    try Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }).write(to: path)
    let file = try CookieFile(contentsOf: path)
    #expect(file.cookies.isEmpty && file.unparsedLineCount > 100)
    #expect(names(try HTTPCookieStorage(file: path)) == [])
    // More than a storage holds.
    let lines = (0..<3320).map { "h\($0).example.org\tFALSE\t/\tFALSE\t0\ta\tb\n" }
    try Data(lines.joined().utf8).write(to: path)
    #expect(try CookieFile(contentsOf: path).cookies.count == 3320)
    #expect(names(try HTTPCookieStorage(file: path))?.count == 3300)
  }

  @Test func aFileIsAValue() throws {
    var file = CookieFile(cookies: [try cookie("a=b"), try cookie("c=d; Max-Age=1000")])
    file.remarks = ["Made by\na test"]
    let all = String(decoding: file.data(), as: UTF8.self)
    #expect(all.contains("\n# Made bya test\n"))
    #expect(all.contains("www.example.org\tFALSE\t/\tFALSE\t0\ta\tb\n"))
    #expect(CookieFile(file.data()).cookies.map(\.name) == ["a", "c"])
    #expect(CookieFile(file.data(keepsSessionCookies: false)).cookies.map(\.name) == ["c"])
    #expect(CookieFile(Data()).cookies.isEmpty)
  }

  /// Cookies of a file do not say how old they are: they go before what comes later.
  @Test func whatWasThereGoesOutFirst() throws {
    defer { done() }
    try Data(
      ".example.org\tTRUE\t/\tFALSE\t0\twide\t1\nwww.example.org\tFALSE\t/\tFALSE\t0\tnarrow\t2\n".utf8
    ).write(to: path)
    let storage = try HTTPCookieStorage(file: path)
    storage.setCookie(try cookie("new=3"))
    #expect(
      storage.header(
        for: try #require(URL(string: "http://www.example.org/")), now: Date().timeIntervalSince1970)
        == "narrow=2; wide=1; new=3")
  }
}
