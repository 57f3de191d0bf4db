// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetSemantics

/// Names and passwords by machine, as a `.netrc` holds them.
///
///     let configuration = URLSessionConfiguration.default
///     configuration.netrc = try Netrc(contentsOf: Netrc.defaultFile)
///
/// The file is read as curl does: `machine`, `login`, `password` and `default`; `account` and macros (`macdef`) are passed
/// over; a word in double quotes may hold spaces and `\"`, `\\`, `\n`, `\r` and `\t`; `#` begins a remark. Machines are
/// compared in the canonical form of hosts. The file's permissions are not looked at.
public struct Netrc: Sendable, Equatable {
  package let entries: NetrcEntries

  /// `.netrc` in the home directory: that of `HOME`, or else the one that the system knows.
  public static var defaultFile: URL {
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    if !home.isEmpty { return URL(fileURLWithPath: home).appendingPathComponent(".netrc") }
    // `getpwuid` answers in memory that all threads share, and this one has its own.
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16 * 1024)
    let directory =
      getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0 && found != nil
      ? String(cString: entry.pw_dir) : "/"
    return URL(fileURLWithPath: directory).appendingPathComponent(".netrc")
  }

  /// Reads a file, up to 1 MiB.
  ///
  /// - Throws: `POSIXError` where it cannot be read (`.ENOENT` where there is none, `.EACCES` where it is not for this
  ///   user), ``NetrcError`` where it is no such file, `CocoaError.fileReadTooLarge`.
  public init(contentsOf file: URL) throws {
    try self.init(bytes: FileReader.contents(of: file.path, limit: 1 << 20))
  }

  /// Reads the contents of a file.
  ///
  /// - Throws: ``NetrcError``.
  public init(_ data: Data) throws(NetrcError) { try self.init(bytes: Array(data)) }

  private init(bytes: [UInt8]) throws(NetrcError) {
    do throws(NetrcEntries.Fault) {
      entries = try NetrcEntries(bytes, canonicalHost: HostName.canonical)
    } catch {
      throw NetrcError(error)
    }
  }

  /// The credential for the server of a URL: the first entry of its host, or `default`, if that comes first. The port
  /// and the scheme do not matter, so a password may go out in the clear, as with curl.
  ///
  /// - Returns: `nil` where there is none; a password or a name that the entry does not have is empty.
  /// - Parameter url: A name in it selects the entry: the first one of that name, or of none. A password in it goes before
  ///   the file's, and there is nothing to look up.
  public func credential(for url: URL) -> URLCredential? {
    guard let target = try? TargetURI.of(url), let proof = proof(for: target) else { return nil }
    return URLCredential(
      user: String(decoding: proof.user, as: UTF8.self),
      password: String(decoding: proof.password, as: UTF8.self),
      persistence: .none)
  }

  /// The same, byte for byte as the file has them: it may be in any charset, and RFC 7617 §2 leaves open in which a name and
  /// a password are proved.
  public func credentialBytes(for url: URL) -> (user: [UInt8], password: [UInt8])? {
    guard let target = try? TargetURI.of(url) else { return nil }
    return proof(for: target)
  }

  /// The name and the password for a target, as bytes: the file may be in any charset.
  func proof(for target: TargetURI) -> (user: [UInt8], password: [UInt8])? {
    let stated = target.userInformation
    if let stated, !stated.password.isEmpty { return nil }
    guard let entry = entries.entry(for: target.origin.host, user: stated?.userBytes) else { return nil }
    return (stated?.userBytes ?? entry.login ?? [], entry.password ?? [])
  }
}

/// Why a `.netrc` cannot be read.
public struct NetrcError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The fault there, in words.
  public let reason: String

  init(_ fault: NetrcEntries.Fault) {
    switch fault {
    case .unterminatedQuote(let line):
      self.line = line
      reason = "the quotation marks of a word are not closed"
    case .missingWord(let keyword, let line):
      self.line = line
      reason = "nothing follows \"\(keyword)\""
    }
  }

  /// Line and reason.
  public var description: String { "line \(line) of the .netrc: \(reason)" }
}
