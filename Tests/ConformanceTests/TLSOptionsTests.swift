// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

/// The options of TLS: exit code for exit code as curl 7.88, over nginx and `openssl s_server`.
@Suite(.enabled(if: RealServer.nginxTLS.isPresent, "nginx does not run"))
struct TLSOptionsTests {
  /// `%` stands for the folder of certificates.
  struct Case: Sendable, CustomTestStringConvertible {
    let server: RealServer
    let words: String
    /// Where ours is another one than curl's, and why.
    var difference: (status: Int32, reason: String)?
    var testDescription: String { "\(server) \(words)" }
  }

  private static let trusting = "--cacert %/authority.pem"

  private static func cases(
    _ servers: [RealServer], _ options: [String], differing: [String: (Int32, String)] = [:]
  ) -> [Case] {
    servers.flatMap { server in
      options.map { option in
        Case(
          server: server, words: "\(trusting) \(option)",
          difference: differing[option].map { (status: $0.0, reason: $0.1) })
      }
    }
  }

  static let trust: [Case] =
    [.nginxTLS, .nginxExpired, .nginxWrongHost, .nginxSelfSigned].flatMap { server in
      [
        "", "-k", trusting, "--cacert %/absent.pem", "--cacert %/nginx.conf", "\(trusting) -k",
        "\(trusting) --pinnedpubkey %/leaf.pub", "\(trusting) --pinnedpubkey %/client.pub",
        "-k --pinnedpubkey %/client.pub",
      ].map { Case(server: server, words: $0) }
    }

  static let versions = cases(
    [.nginxTLS, .nginxTLS12, .nginxTLS13],
    [
      "", "--tlsv1", "--tlsv1.0", "--tlsv1.1", "--tlsv1.2", "--tlsv1.3", "--tls-max 1.2", "--tls-max 1.3",
      "--tls-max default", "--tlsv1.2 --tls-max 1.2", "--tls-max 1.9", "--no-alpn", "--no-sessionid",
    ])

  static let algorithms = cases(
    [.nginxTLS12, .nginxTLS13],
    [
      "--ciphers ECDHE-ECDSA-AES256-GCM-SHA384", "--ciphers ECDHE-RSA-AES256-GCM-SHA384", "--ciphers BOGUS",
      "--tls13-ciphers TLS_AES_256_GCM_SHA384", "--tls13-ciphers BOGUS", "--curves X25519",
      "--curves P-256:X25519",
      "--curves BOGUS", "--curves P-256:BOGUS", "--tls13-ciphers TLS_AES_256_GCM_SHA384:BOGUS",
      "--ciphers ECDHE-ECDSA-AES256-GCM-SHA384:BOGUS",
    ],
    differing: [
      "--tls13-ciphers TLS_AES_256_GCM_SHA384:BOGUS": (59, "what is not known is refused, not passed over"),
      "--ciphers ECDHE-ECDSA-AES256-GCM-SHA384:BOGUS": (59, "what is not known is refused, not passed over"),
    ])

  static let certificates = cases(
    [.nginxClientsTLS12, .nginxClientsTLS13, .opensslClientsTLS12, .opensslClientsTLS13, .nginxTLS],
    [
      "", "--cert %/client-and-key.pem", "-E %/client.pem --key %/client.key",
      "--cert %/client.pem --key %/client-encrypted.key --pass blue",
      "--cert %/client.pem:blue --key %/client-encrypted.key",
      "--cert %/client.pem:red --key %/client-encrypted.key", "--cert %/client.p12:blue --cert-type P12",
      "--cert %/client.p12:red --cert-type P12", "--cert %/client.p12 --cert-type P12 --pass blue",
      "--cert %/client.der --cert-type DER --key %/client.key.der --key-type DER",
      "--cert %/client.der --cert-type DER --key %/client.key", "--cert %/client.der --key %/client.key",
      "--cert %/client.pem --key %/client.key --key-type DER", "--cert %/client.pem --cert-type p12",
      "--cert %/client.pem --cert-type BOGUS", "--cert %/client.pem --key %/client.key --key-type BOGUS",
      "--cert %/client.pem", "--cert %/absent.pem", "--cert %/client.pem --key %/absent.key",
      "--cert %/client.pem --key %/stranger.key", "--cert %/stranger-and-key.pem", "--key %/client.key",
      "--pass blue", "--cert-type PEM",
    ])

  /// It asks behind the handshake. Renegotiation, by which it would in TLS 1.2, is refused by bonnet.
  static let later = cases(
    [.apacheTLS],
    [
      "", "--tlsv1.3", "--tlsv1.3 --cert %/client-and-key.pem", "--cert %/client-and-key.pem",
      "--tlsv1.3 --cert %/stranger-and-key.pem", "--tls-max 1.2", "--tls-max 1.2 --cert %/client-and-key.pem",
    ],
    differing: [
      "": (0, "who has no certificate is not asked, and is answered with 403"),
      "--tlsv1.3": (0, "who has no certificate is not asked, and is answered with 403"),
      "--tls-max 1.2 --cert %/client-and-key.pem": (56, "renegotiation is refused"),
    ])

  /// Directories of authorities, hashed or not, several or none.
  static let directories =
    [
      "--capath %/hashed", "--capath %/empty", "--capath %/absent", "--capath %/absent:%/hashed",
      "--capath %/hashed:%/empty", "--cacert %/stranger.pem --capath %/hashed", "-k --capath %/absent",
    ].map { Case(server: .nginxTLS, words: $0) } + [
      Case(
        server: .nginxTLS, words: "--capath %/plain",
        difference: (status: 0, reason: "a directory need not be hashed: it is read whole"))
    ]

  /// What is for TLS only does not matter elsewhere.
  static let plain = [
    "--cacert %/absent.pem", "--capath %/absent", "--crlfile %/absent.pem", "--cert %/absent.pem",
  ].map { Case(server: .nginx, words: $0) }

  @Test(arguments: trust + versions + algorithms + certificates + later + directories + plain)
  func itEndsAsCurlDoes(one: Case) async throws {
    let folder = String(try #require(RealServer.certificate("")).dropLast())
    let isOpenSSL = one.server == .opensslClientsTLS12 || one.server == .opensslClientsTLS13
    let path = isOpenSSL ? "/files/text.txt" : one.server == .apacheTLS ? "/proving/text.txt" : "/text.txt"
    let address = try one.server.url(path)
    let options = one.words.split(separator: " ").map { String($0).replacing("%", with: folder) }
    let words = ["-s"] + options + ["--max-time", "20", address]
    let ours = try await detached { try Program.product("bonnet").run(words) }
    let theirs = try await detached { try Program("curl").run(words) }
    #expect(ours.status == one.difference?.status ?? theirs.status, "curl: \(theirs.status)")
    if let difference = one.difference {
      #expect(theirs.status != difference.status, "it is no difference: \(difference.reason)")
    }
    if ours.status == 0, theirs.status == 0 { #expect(ours.output == theirs.output) }
  }
}
