// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// Finds the system's certificate authorities.
///
/// Reading Debian's bundle of some 140 authorities takes OpenSSL 3.0 about 25 ms; a directory of files named
/// by the hash of their subject is read one file at a time, when a chain asks for it. So the directory comes
/// first, and the bundle, by an index of its own, only where no hashed directory exists.
struct SystemAnchors: Sendable {
  /// A PEM file instead of the system's: `SSL_CERT_FILE`.
  var file: String?
  /// Directories, divided by colons, instead of the system's: `SSL_CERT_DIR`.
  var directoryList: String?
  /// The directories to look in if neither of them is given, the first that has any.
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

  /// Reads the anchors that are there, and notes the files that would matter if they were there later.
  ///
  /// - Throws: If there is something damaged in it.
  func read() throws(TLSError) -> AnchorFiles {
    defer { ERR_clear_error() }
    var files = AnchorFiles()
    guard file == nil, directoryList == nil else {
      if let file { _ = try files.read(systemFile: file) }
      for directory in (directoryList ?? "").split(separator: ":") {
        _ = try files.read(systemDirectory: String(directory))
      }
      return files
    }
    for path in directories + bundles { files.watch(path) }
    for directory in directories where try files.read(systemDirectory: directory) { return files }
    for bundle in bundles where access(bundle, R_OK) == 0 {
      if try files.read(systemFile: bundle) { return files }
    }
    return files
  }

  /// The advice if there are none.
  var remedy: String {
    file == nil && directoryList == nil
      ? "no certificate authorities found: install ca-certificates"
      : "no certificate authorities found where SSL_CERT_FILE or SSL_CERT_DIR points"
  }

  /// Nothing in programs with raised privileges, be it by set-user-ID or by capabilities: the user that starts one must not
  /// say which authorities it trusts.
  private static func environment(_ name: UnsafePointer<CChar>?) -> String? {
    guard let name, let value = secure_getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
