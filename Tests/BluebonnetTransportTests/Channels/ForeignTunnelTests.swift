// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTLS
@testable import BluebonnetTransport

/// TLS in TLS with a server that nobody here wrote: Python's `ssl`, which is OpenSSL driven by somebody else's code.
@Suite struct ForeignTunnelTests {
  private static let hasPython = (try? Program("python3").run("-c", "import ssl"))?.status == 0

  /// Connects to the port, but is the server's end of both layers; answers with what it was sent, in reverse.
  private static let server = """
    import socket, ssl, sys
    port, count = int(sys.argv[1]), int(sys.argv[2])
    def context(path):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(path)
        return made
    raw = socket.create_connection(("127.0.0.1", port), 20)
    outer = context(sys.argv[3]).wrap_socket(raw, server_side=True)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    inner = context(sys.argv[4]).wrap_bio(incoming, outgoing, server_side=True)
    def go(step):
        while True:
            try:
                result = step()
                if outgoing.pending: outer.sendall(outgoing.read())
                return result
            except ssl.SSLWantReadError:
                if outgoing.pending: outer.sendall(outgoing.read())
                more = outer.recv(16384)
                if more: incoming.write(more)
                else: incoming.write_eof()
    go(inner.do_handshake)
    got = b""
    while len(got) < count: got += go(lambda: inner.read(65536))
    go(lambda: inner.write(got[::-1]))
    go(inner.unwrap)
    print(inner.version(), outer.version())
    """

  @Test(.enabled(if: hasPython), arguments: [5, 1_000_000])
  func goesThroughPythonsTunnel(count: Int) async throws {
    let authority = try CertificateAuthority()
    let files = try ["tunnel", "server"].map { name in
      let identity = try authority.issue(names: [.dns(name)])
      return try Self.file(identity.chainPEM + identity.privateKey.pem)
    }
    defer { for file in files { unlink(file) } }
    var configuration = TLSClientConfiguration()
    configuration.anchors = .certificates([authority.certificate])
    let context = try TLSContext(client: configuration)
    let engines = LoopConfined([
      try TLSEngine(context: context, host: "tunnel"), try TLSEngine(context: context, host: "server"),
    ])
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let loop = EventLoop(name: "foreign-tunnel")
    defer { loop.stop() }
    let driver = Locked<ChannelDriver?>(nil)
    let accepted = Signal()
    let listener = try Listener(loop: loop, address: .loopback(port: 0)) { descriptor, _ in
      let channel = SocketChannel(descriptor, loop: loop)
      try? channel.register()
      let made = ChannelDriver(channel, engines: engines.value, sending: bytes)
      driver.withLock { $0 = made }
      made.advance()
      accepted.raise()
    }
    defer { listener.close() }
    let port = try #require(listener.address.port)
    let outcome = try await detached {
      try Program("python3").run(["-c", Self.server, "\(port)", "\(count)"] + files)
    }
    #expect(outcome.text == "TLSv1.3 TLSv1.3\n")
    #expect(accepted.wait())
    let made = try #require(driver.withLock { $0 })
    await Eventually.expect("it has ended") { made.record.withLock { $0.end != nil } }
    let record = made.record.withLock { $0 }
    #expect(record.handshakes == 2)
    #expect(record.received == bytes.reversed())
    #expect(record.end == .end)
  }

  private static func file(_ text: String) throws -> String {
    var path = Array("/tmp/bluebonnet-identity-XXXXXX".utf8CString)
    let descriptor = FileDescriptor(owning: mkstemp(&path))
    let bytes = Array(text.utf8)
    try #require(write(descriptor.rawValue, bytes, bytes.count) == bytes.count)
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
