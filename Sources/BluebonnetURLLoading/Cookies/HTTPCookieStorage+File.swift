// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLocks

extension HTTPCookieStorage {
  /// Makes a storage that is kept in a file which curl and wget can read, too (``CookieFile``).
  ///
  /// The file is read now; one that is not there is an empty storage. It is written a second after a change, on a queue
  /// of its own, with all changes until then; and by ``save()``, to be called before the process ends. It
  /// is always whole, and for this user only (mode 0600). Where two processes keep the same file, the last one that writes
  /// wins.
  ///
  /// - Parameters:
  ///   - file: Where the cookies are.
  ///   - keepsSessionCookies: Whether cookies that end with the session are written, so that the next process goes on with
  ///     it; false by default, as in wget. Those that the file holds are taken up in any case.
  /// - Throws: `POSIXError` where the file is there and cannot be read, `CocoaError.fileReadTooLarge` beyond 64 MiB.
  public convenience init(file: URL, keepsSessionCookies: Bool = false) throws {
    var cookies: [HTTPCookie] = []
    do {
      cookies = try CookieFile(contentsOf: file).cookies
    } catch let error as POSIXError where error.code == .ENOENT {}
    self.init(keeping: CookieFileKeeping(file, keepsSessionCookies: keepsSessionCookies), holding: cookies)
  }

  /// The file that the storage is kept in; `nil` for one in memory.
  public var file: URL? { keeping?.file }

  /// Writes the file now, and returns when it is written; nothing for a storage in memory. Waits for the disk, so it is
  /// not for the main thread of a program with windows.
  ///
  /// - Throws: `POSIXError` where it cannot be written; the old file is then as it was.
  public func save() throws { try keeping?.save(self) }

  /// Has the file written if it is due, and calls back on any thread; at once for a storage in memory.
  func flush(_ completion: @escaping @Sendable () -> Void) {
    guard let keeping else { return completion() }
    keeping.flush(self, completion)
  }

  /// Why the file could not be written the last time that this was tried; `nil` if it was.
  public var lastSaveError: (any Error)? { keeping?.lastError }
}

/// The writing of a storage's file: its time, and its result.
final class CookieFileKeeping: Sendable {
  private struct State {
    /// There are changes to be written.
    var isDue = false
    var isScheduled = false
    var lastError: POSIXError?
  }

  /// Seconds from a change until it is written.
  private static let delay = 1.0

  let file: URL
  private let keepsSessionCookies: Bool
  /// One write at a time, the latest last.
  private let queue = DispatchQueue(label: "bluebonnet.cookies.file")
  private let state = Locked(State())

  init(_ file: URL, keepsSessionCookies: Bool) {
    self.file = file
    self.keepsSessionCookies = keepsSessionCookies
  }

  var lastError: POSIXError? { state.withLock { $0.lastError } }

  /// Has the file written soon. The storage lives until then.
  func noteChange(of storage: HTTPCookieStorage) {
    let isFirst = state.withLock { state in
      defer { (state.isDue, state.isScheduled) = (true, true) }
      return !state.isScheduled
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) {
      self.state.withLock { $0.isScheduled = false }
      self.writeIfDue(storage)
    }
  }

  func flush(_ storage: HTTPCookieStorage, _ completion: @escaping @Sendable () -> Void) {
    queue.async {
      self.writeIfDue(storage)
      completion()
    }
  }

  /// It may have been saved meanwhile.
  private func writeIfDue(_ storage: HTTPCookieStorage) {
    if state.withLock({ $0.isDue }) { try? write(storage) }
  }

  func save(_ storage: HTTPCookieStorage) throws(POSIXError) {
    let result = queue.sync { Result { () throws(POSIXError) in try write(storage) } }
    try result.get()
  }

  private func write(_ storage: HTTPCookieStorage) throws(POSIXError) {
    // Before the cookies are read: what changes from here on has to be written once more.
    state.withLock { $0.isDue = false }
    do {
      let bytes = CookieFile(cookies: storage.cookies ?? []).bytes(keepsSessionCookies)
      try PrivateFile.write(bytes, to: file.path)
      state.withLock { $0.lastError = nil }
    } catch {
      state.withLock { ($0.isDue, $0.lastError) = (true, error) }
      throw error
    }
  }
}
