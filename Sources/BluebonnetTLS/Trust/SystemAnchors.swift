import CBluebonnetOpenSSL
import Glibc

/// Finds the system's certificate authorities.
///
/// Reading Debian's bundle of some 140 authorities takes OpenSSL 3.0 about 25 ms; a directory of files named
/// by the hash of their subject is read one file at a time, when a chain asks for it. So the directory comes
/// first, and the bundle only where no hashed directory exists.
struct SystemAnchors: Sendable {
  /// A PEM file instead of the system's: `SSL_CERT_FILE`.
  var file: String?
  /// Directories, divided by colons, instead of the system's: `SSL_CERT_DIR`.
  var directoryList: String?
  /// Where to look if neither of them is given, the first that has any.
  var directories: [String]
  var bundles: [String]

  /// Those of this system and this process.
  static var current: SystemAnchors {
    SystemAnchors(
      file: environment(X509_get_default_cert_file_env()),
      directoryList: environment(X509_get_default_cert_dir_env()),
      // Fully static executables carry the build-time paths of a foreign OpenSSL, hence the usual places beside.
      directories: [
        X509_get_default_cert_dir().map { String(cString: $0) }, "/etc/ssl/certs", "/etc/pki/tls/certs",
      ].compactMap(\.self),
      bundles: [
        X509_get_default_cert_file().map { String(cString: $0) },
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
      ].compactMap(\.self))
  }

  /// What was found.
  struct Findings: OptionSet {
    let rawValue: Int
    static let authorities = Findings(rawValue: 1)
    static let revocationLists = Findings(rawValue: 2)
  }

  func load(into store: OpaquePointer) -> Findings {
    defer { ERR_clear_error() }
    guard file == nil, directoryList == nil else { return loadNamed(into: store) }
    for directory in directories {
      let found = Self.findings(in: directory)
      guard found.contains(.authorities) else { continue }
      X509_STORE_load_path(store, directory)
      return found
    }
    for bundle in bundles where access(bundle, R_OK) == 0 {
      if X509_STORE_load_file(store, bundle) == 1 { return .authorities }
    }
    return []
  }

  /// What to say if there are none.
  var remedy: String {
    file == nil && directoryList == nil
      ? "no certificate authorities found: install ca-certificates"
      : "no certificate authorities found where SSL_CERT_FILE or SSL_CERT_DIR points"
  }

  private func loadNamed(into store: OpaquePointer) -> Findings {
    var found: Findings = []
    if let file, X509_STORE_load_file(store, file) == 1 { found.insert(.authorities) }
    if let directoryList, X509_STORE_load_path(store, directoryList) == 1 {
      for directory in directoryList.split(separator: ":") {
        found.formUnion(Self.findings(in: String(directory)))
      }
    }
    return found
  }

  /// Whether there are entries named like `4042bcee.0`, an authority, or `4042bcee.r0`, a revocation list.
  private static func findings(in path: String) -> Findings {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var found: Findings = []
    while let entry = readdir(directory) {
      withUnsafeBytes(of: &entry.pointee.d_name) { name in
        guard name.count > 11, name[8] == UInt8(ascii: "."), name[..<8].allSatisfy(isHexadecimal) else {
          return
        }
        if isDigit(name[9]) { found.insert(.authorities) }
        if name[9] == UInt8(ascii: "r"), isDigit(name[10]) { found.insert(.revocationLists) }
      }
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Nothing in programs with raised privileges, be it by set-user-ID or by capabilities: whoever starts one must not
  /// say whom it trusts.
  private static func environment(_ name: UnsafePointer<CChar>?) -> String? {
    guard let name, let value = secure_getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
