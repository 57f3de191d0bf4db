extension OptionTable {
  /// TLS, and trust.
  static let security: [OptionEntry] = [
    .flag("insecure", "k", [.tls], "Accepts any certificate") {
      $0.operation.security.acceptsAnyCertificate = $1
    },
    .value("cacert", nil, "file", [.tls], "Trusts the authorities in this PEM file instead of the system's") {
      $0.operation.security.authorities = $1
    },
    .value(
      "capath", nil, "directory", [.tls],
      "Trusts the authorities in this directory, named by hash or PEM files, instead of the system's"
    ) {
      $0.operation.security.authorityDirectory = $1
    },
    .flag("cert-status", nil, [.tls], "The server has to staple a response that says its certificate is good")
    {
      $0.operation.security.checksStatus = $1
    },
    .value(
      "crlfile", nil, "file", [.tls],
      "Refuses certificates that the revocation lists in this PEM file revoke, or do not cover"
    ) {
      $0.operation.security.revocationLists = $1
    },
    .value(
      "pinnedpubkey", nil, "hashes", [.tls],
      "The server's key has to be this one: a file with it, or sha256//HASH;sha256//HASH"
    ) {
      parser, text throws(CommandError) in
      parser.operation.security.pins = KeyPin.pins(text, read: parser.files.read)
    },
    .value(
      "cert", "E", "certificate[:password]", [.tls],
      "What servers are shown that ask: a file with a certificate and, without --key, its key"
    ) { $0.operation.security.certificate.take($1) },
    .value("cert-type", nil, "type", [.tls], "How it is written: PEM, DER or P12") {
      $0.operation.security.certificate.form = $1
    },
    .value("key", nil, "key", [.tls], "The certificate's private key: a file, or a provider's address") {
      $0.operation.security.certificate.takeKey($1)
    },
    .value("key-type", nil, "type", [.tls], "How it is written: PEM, DER, or ENG for a provider's address") {
      $0.operation.security.certificate.keyForm = $1
    },
    .value("pass", nil, "phrase", [.tls], "Opens the private key") {
      $0.operation.security.certificate.password = $1
    },
    .value("ciphers", nil, "list", [.tls], "Suites for TLS 1.2, in OpenSSL's syntax") {
      $0.operation.security.ciphers = $1
    },
    .value("tls13-ciphers", nil, "list", [.tls], "Suites for TLS 1.3, with colons between them") {
      $0.operation.security.suites = OptionTable.names($1)
    },
    .value("curves", nil, "list", [.tls], "Groups to agree on keys in, with colons between them") {
      $0.operation.security.groups = OptionTable.names($1)
    },
    .flag("alpn", nil, [.tls, .http], "Says in the handshake that HTTP/1.1 is spoken") {
      $0.operation.security.offersProtocol = $1
    },
    .flag("sessionid", nil, [.tls], "Resumes earlier sessions of TLS") { $0.operation.security.resumes = $1 },
    .act("tlsv1", "1", [.tls], "TLS of any version that is safe") { $0.operation.security.minimum = nil },
    .act("tlsv1.0", nil, [.tls], "The same: nothing below 1.2 is spoken (RFC 8996)") {
      $0.operation.security.minimum = nil
    },
    .act("tlsv1.1", nil, [.tls], "The same") { $0.operation.security.minimum = nil },
    .act("tlsv1.2", nil, [.tls], "TLS 1.2 or newer") { $0.operation.security.minimum = .two },
    .act("tlsv1.3", nil, [.tls], "TLS 1.3") { $0.operation.security.minimum = .three },
    .value("tls-max", nil, "version", [.tls], "The newest version of TLS to offer: default, 1.2 or 1.3") {
      parser, text throws(CommandError) in
      switch text {
      case "default": parser.operation.security.maximum = nil
      case "1.2": parser.operation.security.maximum = .two
      case "1.3": parser.operation.security.maximum = .three
      case "1.0", "1.1": parser.operation.security.maximum = .one
      default: throw CommandError(.usage, "there is no TLS '\(text)'")
      }
    },
  ]

  private static func names(_ text: String) -> [String] {
    text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  }
}
