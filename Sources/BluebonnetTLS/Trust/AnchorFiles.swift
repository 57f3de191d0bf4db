import CBluebonnetOpenSSL
import Glibc

/// What is in the files that anchors are read from, on its way into a store.
struct AnchorFiles {
  private(set) var entries: [UInt: [AnchorIndex.Entry]] = [:]
  /// Revocation lists in DER.
  private(set) var revocationLists: [[UInt8]] = []
  /// Directories that OpenSSL looks into whenever a chain asks for an issuer.
  private(set) var hashedDirectories: [String] = []
  /// What the files looked like before they were read.
  private(set) var stamps = FileStamps()

  var hasAuthorities: Bool { !entries.isEmpty || !hashedDirectories.isEmpty }

  /// Notes that something changes by a path, though nothing is read there.
  mutating func watch(_ path: String) { stamps.note(path) }

  /// Takes the certificates and the revocation lists of a PEM file; one without either is an error.
  mutating func read(file path: String) throws(TLSError) {
    stamps.note(path)
    guard try take(PEMFile(path: path), of: path) else {
      throw TLSError(.invalidConfiguration, reason: "\(path) holds no certificate and no revocation list")
    }
  }

  /// Takes a directory: what is named by the hash of its subject, as `openssl rehash` does, is left for OpenSSL to find when it
  /// is asked for. Without any such names, the PEM files in it are read; one without any certificate is an error.
  mutating func read(directory path: String) throws(TLSError) {
    stamps.note(path)
    guard let names = Self.names(in: path) else {
      throw TLSError(
        .invalidConfiguration, reason: "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let hashed = names.filter { HashedName($0) != nil }
    // OpenSSL would take what is divided by a colon for two directories.
    if hashed.contains(where: { HashedName($0)?.isAuthority == true }), !path.utf8.contains(UInt8(ascii: ":"))
    {
      for name in hashed { stamps.note("\(path)/\(name)") }
      hashedDirectories.append(path)
      // OpenSSL finds these by itself, too, but stores beside this one have to know them.
      for file in Self.revocationLists(among: hashed, in: path) {
        _ = try take(PEMFile(path: file), of: file)
      }
      return
    }
    for name in names where HashedName(name) != nil || Self.isPEM(name) {
      let file = "\(path)/\(name)"
      stamps.note(file)
      _ = try take(PEMFile(path: file), of: file)
    }
    guard hasAuthorities else {
      throw TLSError(.invalidConfiguration, reason: "\(path) holds no certificate")
    }
  }

  /// Takes a directory of hashed names and nothing else, whose own date is enough to tell that it has changed: those who
  /// keep the system's rewrite the bundle beside it, too.
  ///
  /// - Returns: Whether there is an authority.
  mutating func read(systemDirectory path: String) -> Bool {
    stamps.note(path)
    let hashed = (Self.names(in: path) ?? []).filter { HashedName($0) != nil }
    guard hashed.contains(where: { HashedName($0)?.isAuthority == true }) else { return false }
    hashedDirectories.append(path)
    // A damaged one is what OpenSSL would not find either.
    for file in Self.revocationLists(among: hashed, in: path) { _ = try? take(PEMFile(path: file), of: file) }
    return true
  }

  private static func revocationLists(among names: [String], in path: String) -> [String] {
    names.filter { HashedName($0)?.isAuthority == false }.map { "\(path)/\($0)" }
  }

  /// - Returns: Whether there was anything.
  private mutating func take(_ file: PEMFile, of path: String) throws(TLSError) -> Bool {
    var hasAny = false
    for block in file.blocks {
      switch block.label {
      case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
        let entry = AnchorIndex.Entry(der: block.bytes, hasSettings: block.label.hasPrefix("TRUSTED"))
        guard let key = AnchorIndex.key(of: entry) else {
          throw TLSError(.invalidConfiguration, reason: "a certificate in \(path) is damaged")
        }
        entries[key, default: []].append(entry)
      case "X509 CRL": revocationLists.append(block.bytes)
      default: continue
      }
      hasAny = true
    }
    return hasAny
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

  private static func isPEM(_ name: String) -> Bool {
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
