// SPDX-License-Identifier: MIT

/// TLS, and trust.
struct SecurityOptions: Hashable, Sendable {
  enum Version: Int, Comparable, Hashable, Sendable {
    case one = 0
    case two
    case three

    static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  var acceptsAnyCertificate = false
  var authorities: String?
  /// `--capath`.
  var authorityDirectory: String?
  var certificate = ClientCertificate()
  /// `--ciphers`, in OpenSSL's syntax.
  var ciphers: String?
  /// `--tls13-ciphers`.
  var suites: [String]?
  /// `--curves`.
  var groups: [String]?
  /// `--sessionid`.
  var resumes = true
  /// `--alpn`.
  var offersProtocol = true
  /// `--cert-status`: the server has to staple that its certificate is good.
  var checksStatus = false
  /// `--crlfile`.
  var revocationLists: String?
  /// `--pinnedpubkey`: one of these keys has to be the server's, under any authority; any if there are none.
  var pins: [KeyPin] = []
  /// The oldest version to accept.
  var minimum: Version?
  var maximum: Version?
}

extension SecurityOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<SecurityOptions>] = [
    .flag("insecure", "k", [.tls], "Accepts any server certificate", sets: \.acceptsAnyCertificate),
    .value(
      "cacert", nil, "file", [.tls], "CA certificates to trust (PEM)",
      sets: \.authorities),
    .value(
      "capath", nil, "directory", [.tls],
      "Directory with CA certificates to trust",
      sets: \.authorityDirectory),
    .flag(
      "cert-status", nil, [.tls], "Requires a stapled OCSP response that says the certificate is good",
      sets: \.checksStatus),
    .value(
      "crlfile", nil, "file", [.tls],
      "Refuses certificates that are revoked, or not covered, by the lists in this PEM file",
      sets: \.revocationLists),
    .valueInContext(
      "pinnedpubkey", nil, "hashes", [.tls],
      "Requires this public key: a file, or sha256//HASH, several separated by ;"
    ) {
      options, text, context throws(CommandError) in
      options.pins = KeyPin.pins(text, read: context.files.read)
    },
    .value(
      "cert", "E", "certificate[:password]", [.tls],
      "Client certificate, with its key unless --key names one"
    ) { $0.certificate.take($1) },
    .value("cert-type", nil, "type", [.tls], "Format of the certificate: PEM, DER or P12") {
      $0.certificate.form = $1
    },
    .value("key", nil, "key", [.tls], "Private key: a file or a provider's URI") {
      $0.certificate.takeKey($1)
    },
    .value("key-type", nil, "type", [.tls], "Format of the key: PEM, DER, or ENG for a URI") {
      $0.certificate.keyForm = $1
    },
    .value("pass", nil, "phrase", [.tls], "Passphrase of the private key", sets: \.certificate.password),
    .value("ciphers", nil, "list", [.tls], "TLS 1.2 cipher suites, in OpenSSL's syntax", sets: \.ciphers),
    .value("tls13-ciphers", nil, "list", [.tls], "TLS 1.3 cipher suites, separated by colons") {
      $0.suites = names($1)
    },
    .value("curves", nil, "list", [.tls], "Key exchange groups, separated by colons") {
      $0.groups = names($1)
    },
    .flag(
      "alpn", nil, [.tls, .http], "Offers no protocol in the TLS handshake (ALPN)", sets: \.offersProtocol
    ).shownOff,
    .flag("sessionid", nil, [.tls], "Does not resume TLS sessions", sets: \.resumes).shownOff,
    .act("tlsv1", "1", [.tls], "Uses TLS 1.2 or newer, the default") { $0.minimum = nil },
    .act("tlsv1.0", nil, [.tls], "Same as --tlsv1: TLS 1.0 is not supported") { $0.minimum = nil },
    .act("tlsv1.1", nil, [.tls], "Same as --tlsv1: TLS 1.1 is not supported") { $0.minimum = nil },
    .act("tlsv1.2", nil, [.tls], "Uses TLS 1.2 or newer") { $0.minimum = .two },
    .act("tlsv1.3", nil, [.tls], "Uses TLS 1.3") { $0.minimum = .three },
    .value("tls-max", nil, "version", [.tls], "Highest TLS version: default, 1.2 or 1.3") {
      options, text throws(CommandError) in
      switch text {
      case "default": options.maximum = nil
      case "1.2": options.maximum = .two
      case "1.3": options.maximum = .three
      case "1.0", "1.1": options.maximum = .one
      default: throw CommandError(.usage, "there is no TLS '\(text)'")
      }
    },
  ]

  private static func names(_ text: String) -> [String] {
    text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  }
}
