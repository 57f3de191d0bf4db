// SPDX-License-Identifier: MIT
import Bluebonnet

/// The text of `--version`, in curl's shape.
enum VersionText {
  /// The usual `User-Agent`.
  static let product = "bonnet/\(BluebonnetInfo.version)"

  /// Without ftp: only an HTTP proxy fetches that.
  static let text = """
    bonnet \(BluebonnetInfo.version) (\(platform)) Bluebonnet/\(BluebonnetInfo.version) OpenSSL zlib brotli
    Protocols: http https
    Features: \(features.joined(separator: " "))

    """

  private static let features = [
    "AsynchDNS", "brotli", "GSS-API", "HTTPS-proxy", "IDN", "IPv6", "Kerberos", "Largefile", "libz", "NTLM",
    "PSL", "SPNEGO", "SSL", "UnixSockets",
  ]

  private static var platform: String {
    #if arch(x86_64)
      "x86_64-linux-gnu"
    #elseif arch(arm64)
      "aarch64-linux-gnu"
    #else
      "linux-gnu"
    #endif
  }
}
