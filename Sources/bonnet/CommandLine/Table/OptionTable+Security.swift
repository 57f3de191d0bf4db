extension OptionTable {
  /// TLS, and what is trusted.
  static let security: [OptionEntry] = [
    .flag("insecure", "k", [.tls], "Accepts any certificate") {
      $0.operation.security.acceptsAnyCertificate = $1
    },
    .value("cacert", nil, "file", [.tls], "Trusts the authorities in this PEM file instead of the system's") {
      $0.operation.security.authorities = $1
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
      parser.operation.security.pins = try KeyPin.pins(text, read: parser.files.read)
    },
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
      case "1.0", "1.1": throw CommandError(.usage, "TLS \(text) is not spoken here (RFC 8996)")
      default: throw CommandError(.usage, "there is no TLS '\(text)'")
      }
    },
  ]
}
