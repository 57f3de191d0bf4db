// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import Foundation
import Sockets

/// An upstream, the relay and a client in one process.
enum Demo {
  /// A server that wants a certificate of its own authority's. `/upload` counts what it gets, `/large` has 256 MiB.
  struct Upstream {
    private let authority: OriginAuthority
    private let origin: Origin
    private let identity: OriginIdentity

    var baseURL: String { origin.baseURL }

    init() throws {
      authority = try OriginAuthority(name: "Demo Authority")
      identity = try authority.issue(names: [.host("relay.example")])
      origin = try Origin.start(security: .clients(of: authority))
      let size = 256 << 20
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: \(size)\r\n\r\n"
      origin.script(
        "/large",
        [.bytes(Array(head.utf8)), .repeating([UInt8](repeating: 7, count: 65_536), count: size)])
      // Answers at once, and never reads the body.
      let full = ScriptedReply.response(status: 507, body: "The disk is full.\n".utf8)
      origin.script("/full", full.then(.hang).starting(at: .head))
      // Takes the head and then nothing.
      origin.script("/stuck", ScriptedReply([.hang], at: .head))
    }

    /// `ca.pem`, `client.pem` and `client.key`, for a relay in another process.
    func writeCertificates(to folder: URL) throws {
      for (name, text) in [
        ("ca.pem", authority.certificate), ("client.pem", identity.certificateChain),
        ("client.key", identity.privateKey),
      ] {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      }
    }

    /// A client's configuration for it.
    func configuration(withIdentity: Bool) throws -> HTTPClient.Configuration {
      var configuration = HTTPClient.Configuration()
      configuration.trust = .pem(authority.certificate)
      if withIdentity {
        configuration.identity = try HTTPClient.Identity(
          certificates: Array(identity.certificateChain.utf8), key: Array(identity.privateKey.utf8))
      }
      return configuration
    }
  }

  static func run(megabytes: Int) async throws {
    let upstream = try Upstream()
    let relay = try Relay(upstream: upstream.baseURL, upstream.configuration(withIdentity: true))
    let stranger = try Relay(upstream: upstream.baseURL, upstream.configuration(withIdentity: false))
    let (listener, other) = (try Listener(), try Listener())
    let serving = Task {
      async let one: Void = relay.serve(listener)
      async let two: Void = stranger.serve(other)
      _ = try await (one, two)
    }
    let client = try HTTPClient()
    let before = peakMemory()

    let sent = try await client.send(
      .post("http://127.0.0.1:\(listener.port)/upload", body: .stream(Pieces(count: megabytes))))
    say("up:   \(sent.status), \(sent.text)")

    let received = try await client.stream(.get("http://127.0.0.1:\(listener.port)/large"))
    var count = 0
    for try await piece in received.body { count += piece.count }
    say("down: \(received.status), \(count) bytes")

    let refused = try await client.send(.get("http://127.0.0.1:\(other.port)/get"))
    say("without a certificate: \(refused.status), \(refused.text.filter { $0 != "\n" })")
    say("peak memory of all three: \(before >> 10) MiB before, \(peakMemory() >> 10) MiB after")
    serving.cancel()
  }

  /// So many pieces of a mebibyte, made when they are asked for.
  private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let piece = [UInt8](repeating: 42, count: 1 << 20)
    var count: Int

    mutating func next() async -> [UInt8]? {
      count -= 1
      return count < 0 ? nil : piece
    }

    func makeAsyncIterator() -> Pieces { self }
  }

  /// The process's peak memory, in KiB.
  private static func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
