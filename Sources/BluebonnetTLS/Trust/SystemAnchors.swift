import CBluebonnetOpenSSL
import Glibc

/// Finds the system's certificate authorities.
///
/// Reading Debian's bundle of some 140 authorities takes OpenSSL 3.0 about 25 ms; a directory of files named
/// by the hash of their subject is read one file at a time, when a chain asks for it. So the directory comes
/// first, and the bundle only where no hashed directory exists.
enum SystemAnchors {
  static func load(into store: OpaquePointer) {
    defer { ERR_clear_error() }
    let file = environment(X509_get_default_cert_file_env())
    let directories = environment(X509_get_default_cert_dir_env())
    if let file { X509_STORE_load_file(store, file) }
    if let directories { X509_STORE_load_path(store, directories) }
    guard file == nil, directories == nil else { return }
    if let directory = Self.directories.first(where: isHashed) {
      X509_STORE_load_path(store, directory)
    } else if let bundle = bundles.first(where: { access($0, R_OK) == 0 }) {
      X509_STORE_load_file(store, bundle)
    }
  }

  /// Fully static executables carry the build-time paths of a foreign OpenSSL, hence the usual places beside.
  private static var directories: [String] {
    [X509_get_default_cert_dir().map { String(cString: $0) }, "/etc/ssl/certs", "/etc/pki/tls/certs"]
      .compactMap(\.self)
  }

  private static var bundles: [String] {
    [
      X509_get_default_cert_file().map { String(cString: $0) },
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ].compactMap(\.self)
  }

  /// Whether any entry is named like `4042bcee.0`.
  private static func isHashed(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let isHash = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        name.count > 10 && name[8] == UInt8(ascii: ".") && name[..<8].allSatisfy(isHexadecimal)
          && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[9])
      }
      if isHash { return true }
    }
    return false
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Ignored in set-user-ID programs, as OpenSSL does.
  private static func environment(_ name: UnsafePointer<CChar>?) -> String? {
    guard getuid() == geteuid(), getgid() == getegid() else { return nil }
    guard let name, let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
