// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc
import Synchronization

/// The cookies of a command: those of files, and those that servers set. All operations share them.
final class CookieStore: Sendable {
  private let list = Mutex(CookieList())
  /// Held while a jar is written: the newest list has to be the last.
  private let writing = Mutex(())
  private let warn: @Sendable (String) -> Void

  init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

  /// Reads the files that an operation names, before each of its transfers. A missing one has none: the first use of a
  /// file for cookies begins so.
  func load(_ options: CookieOptions) {
    for path in options.files where !path.isEmpty {
      guard path == "-" || access(ByteText.path(path), F_OK) == 0 else { continue }
      do throws(CommandError) {
        read(try InputFile.read(path), forgetsSessions: options.forgetsSessions)
      } catch {
        warn("the cookies in \(path) cannot be read: \(error.message)")
      }
    }
  }

  private func read(_ bytes: [UInt8], forgetsSessions: Bool) {
    let now = Self.now
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { ByteText.text($0) }
    list.withLock { list in
      for line in lines {
        guard let cookie = StoredCookie(line: line[...], now: now), !forgetsSessions || cookie.expires != 0
        else {
          continue
        }
        list.add(cookie, isSafe: true, isOfFile: true, now: now)
      }
    }
  }

  private static var now: Int { BluebonnetLibc.time(nil) }

  /// The cookies for an address; nil for none.
  func header(for place: CookiePlace, _ options: CookieOptions) -> String? {
    guard options.areKept else { return nil }
    return list.withLock { $0.header(for: place, now: Self.now) }
  }

  /// Keeps what a response sets.
  func take(_ fields: [(name: String, value: String)], from place: CookiePlace, _ options: CookieOptions) {
    guard options.areKept else { return }
    let now = Self.now
    let values = fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
    let cookies = values.compactMap { StoredCookie(setCookie: $0, from: place, now: now) }
    list.withLock { list in
      for cookie in cookies.prefix(CookieList.limitOfResponse) {
        list.add(cookie, isSafe: place.isSafe, now: now)
      }
    }
  }

  /// Writes the jar of an operation, after each of its transfers.
  func save(_ options: CookieOptions) {
    guard let path = options.jar else { return }
    let error = writing.withLock { _ -> CommandError? in
      let text = list.withLock { $0.file(now: Self.now) }
      do throws(CommandError) { try Self.write(text, to: path) } catch { return error }
      return nil
    }
    if let error { warn("the cookies cannot be written to \(path): \(error.message)") }
  }

  /// A file is written beside the old one and takes its place when all of it is there.
  private static func write(_ text: String, to path: String) throws(CommandError) {
    guard path != "-", !OutputFile.isSpecial(path) else {
      var output = OutputFile(path == "-" ? .standardOutput : .path(path))
      try output.write(text)
      return try output.close()
    }
    // A name that cannot be foretold, and no file that is there already: others may write to the directory.
    let new = "\(path).\(UInt64.random(in: 0...UInt64.max)).new"
    var file = OutputFile(.path(new), existing: .refused, mode: 0o600)
    do throws(CommandError) {
      try file.write(text)
      try file.close()
      guard rename(ByteText.path(new), ByteText.path(path)) == 0 else {
        throw CommandError(.writeFailed, SystemText.ofError())
      }
    } catch {
      unlink(ByteText.path(new))
      throw error
    }
  }
}
