// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// The contents of the files that anchors are read from, on their way into a store.
struct AnchorFiles {
  private(set) var entries: [UInt: [AnchorIndex.Entry]] = [:]
  private(set) var revocationLists: [RevocationList] = []
  /// Directories that OpenSSL looks into whenever a chain asks for an issuer.
  private(set) var hashedDirectories: [String] = []
  /// The files' stamps before they were read.
  private(set) var stamps = FileStamps()

  var hasAuthorities: Bool { !entries.isEmpty || !hashedDirectories.isEmpty }

  /// Notes that something changes by a path, though nothing is read there.
  mutating func watch(_ path: String) { stamps.note(path) }

  /// Takes the certificates and the revocation lists of a PEM file; one without either is an error.
  mutating func read(file path: String) throws(TLSError) {
    stamps.note(path)
    guard try take(path) else { throw Self.holdsNothing(path) }
  }

  private static func holdsNothing(_ path: String) -> TLSError {
    TLSError(.invalidConfiguration, reason: "\(path) holds no certificate and no revocation list")
  }

  /// Takes a directory: files named by the hash of their subject, as `openssl rehash` does, are left for OpenSSL to find when it
  /// is asked for. Without any such names, the files in it that are named like certificates and lists are read, in PEM or DER.
  /// A directory without any certificate is an error, and so is a file in it that is neither: the caller relies on it.
  mutating func read(directory path: String) throws(TLSError) {
    stamps.note(path)
    guard let names = Self.names(in: path) else {
      throw TLSError(
        .invalidConfiguration, reason: "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let hashed = names.filter { HashedName($0) != nil }
    // OpenSSL would take a path with a colon in it for two directories.
    if hashed.contains(where: { HashedName($0)?.isAuthority == true }), !path.utf8.contains(UInt8(ascii: ":"))
    {
      for name in hashed { stamps.note("\(path)/\(name)") }
      hashedDirectories.append(path)
      // OpenSSL finds these by itself, too, but stores beside this one have to know them.
      for file in Self.revocationLists(among: hashed, in: path) {
        guard try take(file) else { throw Self.holdsNothing(file) }
      }
      return
    }
    for name in names where HashedName(name) != nil || Self.isCertificates(name) {
      let file = "\(path)/\(name)"
      stamps.note(file)
      _ = try take(file)
    }
    guard hasAuthorities else {
      throw TLSError(.invalidConfiguration, reason: "\(path) holds no certificate")
    }
  }

  /// Takes a directory of hashed names and nothing else. Its own date is enough to tell that it has changed: updates of
  /// the system's rewrite the bundle beside it, too.
  ///
  /// - Returns: Whether there is an authority.
  /// - Throws: If a revocation list in it is damaged: what it revokes would be let in.
  mutating func read(systemDirectory path: String) throws(TLSError) -> Bool {
    stamps.note(path)
    let hashed = (Self.names(in: path) ?? []).filter { HashedName($0) != nil }
    guard hashed.contains(where: { HashedName($0)?.isAuthority == true }) else { return false }
    hashedDirectories.append(path)
    // Lists are written over where they are, which changes no directory.
    for file in Self.revocationLists(among: hashed, in: path) {
      stamps.note(file)
      // A link that leads nowhere is no list.
      guard access(file, F_OK) == 0 else { continue }
      guard try take(file) else { throw Self.holdsNothing(file) }
    }
    return true
  }

  /// Takes a bundle of the system's. It may be missing, or empty where no authority is trusted.
  ///
  /// - Returns: Whether there is anything in it.
  /// - Throws: If it cannot be read, or a part of it is damaged: there may be revocation lists in it.
  mutating func read(systemFile path: String) throws(TLSError) -> Bool {
    stamps.note(path)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFCHR else { return false }
    let bytes = try PEMFile.content(of: path)
    let blocks = try PEMFile(bytes, of: path).blocks
    guard blocks.isEmpty else { return try take(blocks, of: path) }
    // A text without any block is as good as empty; DER begins with a SEQUENCE.
    guard bytes.first == 0x30 else { return false }
    guard takeDER(bytes) else { throw Self.holdsNothing(path) }
    return true
  }

  /// Takes the revocation lists of files, each of them in PEM, as many as there are, or one in DER; certificates in them are
  /// no anchors. A file without any list is an error: the caller relies on it.
  mutating func read(lists: RevocationListFiles) throws(TLSError) {
    for path in lists.paths {
      stamps.note(path)
      let bytes = try PEMFile.content(of: path)
      if let list = RevocationList(der: bytes) {
        revocationLists.append(list)
        continue
      }
      let found = try PEMFile(bytes, of: path).blocks.filter { $0.label == "X509 CRL" }
      guard !found.isEmpty else { throw Self.lacksList(path) }
      for block in found { try take(list: block.bytes, of: path) }
    }
  }

  private mutating func take(list bytes: [UInt8], of path: String) throws(TLSError) {
    guard let list = RevocationList(der: bytes) else { throw Self.lacksList(path) }
    revocationLists.append(list)
  }

  private static func lacksList(_ path: String) -> TLSError {
    TLSError(.invalidConfiguration, reason: "no revocation list can be read from \(path)")
  }

  private static func revocationLists(among names: [String], in path: String) -> [String] {
    names.filter { HashedName($0)?.isAuthority == false }.map { "\(path)/\($0)" }
  }

  /// - Returns: Whether there was anything: a private key in PEM is nothing, for one.
  private mutating func take(_ path: String) throws(TLSError) -> Bool {
    let bytes = try PEMFile.content(of: path)
    let blocks = try PEMFile(bytes, of: path).blocks
    guard blocks.isEmpty else { return try take(blocks, of: path) }
    guard takeDER(bytes) else { throw Self.holdsNothing(path) }
    return true
  }

  private mutating func take(_ blocks: [PEMFile.Block], of path: String) throws(TLSError) -> Bool {
    var hasAny = false
    for block in blocks {
      switch block.label {
      case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
        let entry = AnchorIndex.Entry(der: block.bytes, hasSettings: block.label.hasPrefix("TRUSTED"))
        guard let key = AnchorIndex.key(of: entry) else {
          throw TLSError(.invalidConfiguration, reason: "a certificate in \(path) is damaged")
        }
        entries[key, default: []].append(entry)
      case "X509 CRL": try take(list: block.bytes, of: path)
      default: continue
      }
      hasAny = true
    }
    return hasAny
  }

  /// A list as distribution points have it (RFC 5280 §4.2.1.13), or a certificate as it often is in `.cer` and `.crt`.
  private mutating func takeDER(_ bytes: [UInt8]) -> Bool {
    if let list = RevocationList(der: bytes) {
      revocationLists.append(list)
      return true
    }
    let entry = AnchorIndex.Entry(der: bytes, hasSettings: false)
    guard let key = AnchorIndex.key(of: entry) else { return false }
    entries[key, default: []].append(entry)
    return true
  }

  /// The names in a directory, sorted; `nil` if it cannot be read, and `errno` says why.
  private static func names(in path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func isCertificates(_ name: String) -> Bool {
    [".pem", ".crt", ".cer", ".crl"].contains { name.lowercased().hasSuffix($0) }
  }
}

/// A name like `4042bcee.0`, of an authority, or `4042bcee.r0`, of a revocation list.
private struct HashedName {
  let isAuthority: Bool

  init?(_ name: String) {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 8, parts[0].allSatisfy(Self.isHexadecimal) else { return nil }
    isAuthority = parts[1].first != UInt8(ascii: "r")
    let number = isAuthority ? parts[1] : parts[1].dropFirst()
    guard !number.isEmpty, number.allSatisfy(Self.isDigit) else { return nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
