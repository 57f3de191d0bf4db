// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

extension ConnectionTests {
  /// In a process of its own, because other tests open and close descriptors meanwhile.
  @Test func nothingIsLeftOpen() async {
    await #expect(processExitsWith: .success) {
      func openDescriptors() -> Int { (0..<1_024).count { fcntl($0, F_GETFD) != -1 } }
      func visit(_ security: Origin.Security) throws {
        let origin = try Origin.start(security: security)
        origin.script("/reset", .reset)
        for request in ["GET /ip", "GET /reset", "GET /infinite", "GET /delay/10", "nonsense", ""] {
          let socket = try RawSocket(port: origin.port)
          try socket.send(request.isEmpty ? "" : "\(request) HTTP/1.1\r\nHost: a\r\n\r\n")
          if request == "GET /ip", security == .plain { _ = try socket.receiveResponse() }
        }
        origin.stop()
      }
      try visit(.plain)
      try visit(.tls)
      let before = openDescriptors()
      for _ in 0..<5 {
        try visit(.plain)
        try visit(.tls)
      }
      #expect(openDescriptors() == before)
      exit(openDescriptors() == before ? 0 : 1)
    }
  }
}
