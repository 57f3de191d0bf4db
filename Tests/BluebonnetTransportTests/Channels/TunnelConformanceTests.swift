// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTLS
@testable import BluebonnetTransport

/// TLS in TLS whose far end is `openssl s_server`: a relay takes the outer layer off, and neither it nor this package's
/// TLS is what the inner layer is spoken with.
///
/// CI runs it among the conformance tests, where a program that is missing is a failure.
@Suite struct TunnelConformanceTests {
  private static let hasOpenSSL = (try? Program("openssl").run("version"))?.status == 0

  @Test func theProgramIsPresentOrNamed() {
    if !Self.hasOpenSSL { print("openssl is not found, the tests of a tunnel to its s_server are skipped.") }
    #expect(Self.hasOpenSSL || !RealServer.areRequired)
  }

  /// `s_server -rev` answers each line with its characters in reverse, and says goodbye at a line `CLOSE`.
  @Test(.enabled(if: hasOpenSSL), arguments: ["-tls1_2", "-tls1_3"], [1, 200])
  func goesThroughATunnelToOpenSSL(version: String, lines: Int) async throws {
    let authority = try CertificateAuthority()
    let asked = (0..<lines).map { line in
      (0..<7000).map { UInt8(ascii: "a") + UInt8(truncatingIfNeeded: ($0 &* 7 &+ line) % 26) }
    }
    let run = try await Self.run(
      trusting: authority, server: try authority.issue(names: [.dns("server")]), options: [version],
      tunnel: try authority.issue(names: [.dns("tunnel")]),
      sending: Array(asked.joined(separator: [10])) + Array("\nCLOSE\n".utf8))
    #expect(run.record.handshakes == 2)
    #expect(run.record.received == Array(asked.map { $0.reversed() }.joined(separator: [10])) + [10])
    #expect(run.record.end == .end)
    #expect(run.status == 0)
  }

  @Test(.enabled(if: hasOpenSSL)) func aServerOfAnotherAuthorityIsRefused() async throws {
    let authority = try CertificateAuthority()
    let run = try await Self.run(
      trusting: authority, server: try CertificateAuthority().issue(names: [.dns("server")]), options: [],
      tunnel: try authority.issue(names: [.dns("tunnel")]), sending: Array("secret\nCLOSE\n".utf8))
    #expect(run.record.handshakes == 1)
    #expect(run.record.received.isEmpty)
    guard case .failed(.tls(let error)) = run.record.end, case .certificateRejected = error.code else {
      Issue.record("it ended with \(String(describing: run.record.end))")
      return
    }
  }

  /// - Returns: What the client's end saw, and the server's exit status.
  private static func run(
    trusting authority: CertificateAuthority, server: TLSIdentity, options: [String], tunnel: TLSIdentity,
    sending bytes: [UInt8]
  ) async throws -> (record: ChannelDriver.Record, status: Int32) {
    var folder = Array("/tmp/bluebonnet-tunnel-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&folder).map { String(cString: $0) })
    defer {
      for name in ["/identity", "/output"] { unlink(path + name) }
      rmdir(path)
    }
    try write(server.chainPEM + server.privateKey.pem, to: path + "/identity")
    var configuration = TLSClientConfiguration()
    configuration.anchors = .certificates([authority.certificate])
    let context = try TLSContext(client: configuration)
    let engines = LoopConfined([
      try TLSEngine(context: context, host: "tunnel"), try TLSEngine(context: context, host: "server"),
    ])
    let stand = try ChannelStand()
    defer { stand.stop() }
    // It ends by itself after one connection, and would be ended if none came.
    let command = """
      exec timeout 60 openssl s_server -accept 127.0.0.1:0 -cert "$0/identity" -key "$0/identity" -rev -naccept 1 \
      "$@" >"$0/output" 2>&1
      """
    async let served = detached { try Program("sh").run(["-c", command, path] + options) }
    async let relayed: Void = detached {
      let server = try RawSocket(port: try Self.port(in: path + "/output"))
      try withExtendedLifetime(server) {
        var relay = try TunnelRelay(tunnel, client: stand.peer, server: server.descriptor)
        try relay.run()
      }
    }
    let driver = try stand.loop.withLoop {
      let driver = ChannelDriver(try stand.channel(), engines: engines.value, sending: bytes)
      driver.advance()
      return driver
    }
    try await relayed
    await Eventually.expect("it has ended") { driver.record.withLock { $0.end != nil } }
    return (driver.record.withLock { $0 }, try await served.status)
  }

  /// The port that the program says it listens on, once it does.
  private static func port(in file: String) throws -> UInt16 {
    var port: UInt16?
    _ = try Eventually.block {
      let text = try Program("cat").run(file).text
      let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
      port = line?.split(separator: ":").last.flatMap { UInt16($0) }
      return port != nil
    }
    guard let port else { throw RawSocket.Failure(call: "ACCEPT") }
    return port
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = FileDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600))
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor.rawValue, bytes, bytes.count) == bytes.count)
  }
}
