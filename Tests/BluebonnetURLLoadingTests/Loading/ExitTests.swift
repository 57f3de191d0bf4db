// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// A process may end at any time, whatever its sessions do at that moment.
@Suite struct ExitTests {
  /// `exit()` runs handlers while the loops' threads go on; none of them may free what those threads use.
  /// A hundred processes, because each of them has to be unlucky.
  @Test func inTheMiddleOfHandshakes() async {
    for _ in 0..<50 {
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await Self.exitInAnotherProcess() } }
      }
    }
  }

  private static func exitInAnotherProcess() async {
    await #expect(processExitsWith: .success) {
      // The handler that was registered first runs last: the threads go on for a while behind all others.
      atexit { Pause.take(microseconds: 10_000) }
      let origin = try Origin.start(security: .tls)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpMaximumConnectionsPerHost = 128
      configuration.trustAnchors = .certificates(
        [try #require(SecCertificate(pem: origin.authority ?? ""))])
      let session = URLSession(configuration: configuration)
      let url = try #require(URL(string: origin.baseURL + "/get"))
      for _ in 0..<128 { session.dataTask(with: url) { _, _, _ in }.resume() }
      Pause.take(microseconds: .random(in: 1_000..<40_000))
      exit(EXIT_SUCCESS)
    }
  }
}
