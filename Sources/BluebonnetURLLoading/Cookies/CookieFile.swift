// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetSemantics

/// Cookies in a file that curl, wget, Python and browsers' tools read and write, too: Netscape's, with `#HttpOnly_` in front
/// of the domain for cookies that scripts may not see.
///
///     let file = try CookieFile(contentsOf: URL(fileURLWithPath: "cookies.txt"))
///     for cookie in file.cookies { storage.setCookie(cookie) }
///
/// What the form has no place for is lost: ``HTTPCookie/sameSitePolicy``, comments, and when a cookie was set. Cookies with a
/// tab in their name, or for several ports, are not written. To keep a storage in a file, see
/// ``HTTPCookieStorage/init(file:keepsSessionCookies:)``.
public struct CookieFile: Sendable {
  /// The cookies, in the order of the file.
  public var cookies: [HTTPCookie]
  /// Lines for people beneath the first line of the file; none by default. They are not read back.
  public var remarks: [String] = []
  /// Lines that were found and could not be read. They were passed over, so a file of another kind gives no cookies, and
  /// many of these.
  public let unparsedLineCount: Int

  /// Makes a file of cookies.
  public init(cookies: [HTTPCookie]) {
    self.cookies = cookies
    unparsedLineCount = 0
  }

  /// Reads cookies from bytes.
  ///
  /// Cookies that have ended are left out, and so are those that no server could have set: names that begin with
  /// `__Secure-` or `__Host-` and do not keep their promise, and domains that sites share (``PublicSuffixList``). As in
  /// curl, lines such as `Set-Cookie: a=b; Domain=example.org` are read, too, where they state a domain.
  public init(_ data: Data) { self.init(Array(data)) }

  /// Reads cookies from a file, a pipe or a device, up to its end or to 64 MiB.
  ///
  /// - Throws: `POSIXError` where it cannot be read, `CocoaError.fileReadTooLarge`.
  public init(contentsOf url: URL) throws {
    self.init(try FileReader.contents(of: url.path, limit: 64 << 20))
  }

  private init(_ bytes: [UInt8]) {
    let reading = NetscapeCookies.read(
      bytes, now: Date().timeIntervalSince1970, suffixes: { PublicSuffixList.inUse.rules },
      canonicalHost: HostName.canonical)
    cookies = reading.cookies.map { HTTPCookie($0) }
    unparsedLineCount = reading.unparsedLineCount
  }

  /// The file as bytes. Cookies that have ended are left out.
  ///
  /// - Parameter keepsSessionCookies: Whether cookies are written that end with the session; others then take them up again.
  ///   True by default.
  public func data(keepsSessionCookies: Bool = true) -> Data { Data(bytes(keepsSessionCookies)) }

  /// Writes the file, for this user only (mode 0600): a new one is written beside the old one and put in its place, so that
  /// no reader ever finds half of it. A link is followed, and a device written to.
  ///
  /// - Parameters:
  ///   - url: The file's place, now or in future.
  ///   - keepsSessionCookies: Whether cookies that end with the session are written; true by default.
  /// - Throws: `POSIXError`; an old file is then as it was.
  public func write(to url: URL, keepsSessionCookies: Bool = true) throws {
    try PrivateFile.write(bytes(keepsSessionCookies), to: url.path)
  }

  func bytes(_ keepsSessionCookies: Bool) -> [UInt8] {
    NetscapeCookies.write(
      cookies.map(\.cookie), remarks: remarks, keepsSessionCookies: keepsSessionCookies,
      now: Date().timeIntervalSince1970)
  }
}
