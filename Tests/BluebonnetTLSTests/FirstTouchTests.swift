// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Glibc
import Testing

@testable import BluebonnetTLS

/// Whatever is the first to touch OpenSSL, it frees nothing at the end of the process, when other threads may still be inside.
@Suite struct FirstTouchTests {
  enum Touch: String, CaseIterable, Sendable {
    case anchorFile, systemAnchors, certificate, certificates, key, archive, list, context

    func take() {
      let text = Array("nothing".utf8)
      switch self {
      case .anchorFile: _ = try? PEMFile(text, of: "file")
      case .systemAnchors: _ = try? SystemAnchors.current.read()
      case .certificate: _ = try? Certificate(pem: "nothing")
      case .certificates: _ = try? Certificate.bundle(pem: text)
      case .key: _ = try? PrivateKey(pem: text)
      case .archive: _ = try? TLSIdentity(pkcs12: text, password: "")
      case .list: _ = try? RevocationList(text)
      case .context: _ = try? TLSContext(client: TLSClientConfiguration())
      }
    }
  }

  @Test(arguments: Touch.allCases) func openSSLStaysToTheEnd(touch: Touch) async {
    await #expect(processExitsWith: .success) { [name = touch.rawValue as String] in
      // Registered first and so called last: what OpenSSL has freed by then it does not initialise again.
      atexit { if OPENSSL_init_crypto(UInt64(OPENSSL_INIT_LOAD_CRYPTO_STRINGS), nil) != 1 { _exit(1) } }
      try #require(Touch(rawValue: name)).take()
      exit(0)
    }
  }
}
