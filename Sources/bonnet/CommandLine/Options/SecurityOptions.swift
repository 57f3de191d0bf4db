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
    .flag("insecure", "k", [.tls], "Accepts any certificate", sets: \.acceptsAnyCertificate),
    .value(
      "cacert", nil, "file", [.tls], "Trusts the authorities in this PEM file instead of the system's",
      sets: \.authorities),
    .value(
      "capath", nil, "directory", [.tls],
      "Trusts the authorities in this directory, named by hash or PEM files, instead of the system's",
      sets: \.authorityDirectory),
    .flag(
      "cert-status", nil, [.tls], "The server has to staple a response that says its certificate is good",
      sets: \.checksStatus),
    .value(
      "crlfile", nil, "file", [.tls],
      "Refuses certificates that the revocation lists in this PEM file revoke, or do not cover",
      sets: \.revocationLists),
    .valueInContext(
      "pinnedpubkey", nil, "hashes", [.tls],
      "The server's key has to be this one: a file with it, or sha256//HASH;sha256//HASH"
    ) {
      options, text, context throws(CommandError) in
      options.pins = KeyPin.pins(text, read: context.files.read)
    },
    .value(
      "cert", "E", "certificate[:password]", [.tls],
      "What servers are shown that ask: a file with a certificate and, without --key, its key"
    ) { $0.certificate.take($1) },
    .value("cert-type", nil, "type", [.tls], "How it is written: PEM, DER or P12") {
      $0.certificate.form = $1
    },
    .value("key", nil, "key", [.tls], "The certificate's private key: a file, or a provider's address") {
      $0.certificate.takeKey($1)
    },
    .value("key-type", nil, "type", [.tls], "How it is written: PEM, DER, or ENG for a provider's address") {
      $0.certificate.keyForm = $1
    },
    .value("pass", nil, "phrase", [.tls], "Opens the private key", sets: \.certificate.password),
    .value("ciphers", nil, "list", [.tls], "Suites for TLS 1.2, in OpenSSL's syntax", sets: \.ciphers),
    .value("tls13-ciphers", nil, "list", [.tls], "Suites for TLS 1.3, with colons between them") {
      $0.suites = names($1)
    },
    .value("curves", nil, "list", [.tls], "Groups to agree on keys in, with colons between them") {
      $0.groups = names($1)
    },
    .flag(
      "alpn", nil, [.tls, .http], "Says in the handshake that HTTP/1.1 is spoken", sets: \.offersProtocol),
    .flag("sessionid", nil, [.tls], "Resumes earlier sessions of TLS", sets: \.resumes),
    .act("tlsv1", "1", [.tls], "TLS of any version that is safe") { $0.minimum = nil },
    .act("tlsv1.0", nil, [.tls], "The same: nothing below 1.2 is spoken (RFC 8996)") { $0.minimum = nil },
    .act("tlsv1.1", nil, [.tls], "The same") { $0.minimum = nil },
    .act("tlsv1.2", nil, [.tls], "TLS 1.2 or newer") { $0.minimum = .two },
    .act("tlsv1.3", nil, [.tls], "TLS 1.3") { $0.minimum = .three },
    .value("tls-max", nil, "version", [.tls], "The newest version of TLS to offer: default, 1.2 or 1.3") {
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
