// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

/// Bytes above 0x7F that are not UTF-8 go back as they came (RFC 9110 §5.5).
@Suite struct OpaqueBytesTests {
  private final class Witness: URLSessionDataDelegate, URLSessionTransmissionDelegate {
    let heads = Locked<[[UInt8]]>([])
    let credential = URLCredential(user: "user", password: "secret", persistence: .forSession)

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection
    ) { heads.withLock { $0.append(Array(head)) } }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.useCredential, credential) }

    /// The lines of the newest head that begin so.
    func lines(_ name: String) -> [[UInt8]] {
      (heads.withLock { $0.last } ?? []).split(separator: 0x0A).map { $0.dropLast() }
        .filter { $0.starts(with: name.utf8) }.map { Array($0) }
    }
  }

  private func load(_ origin: Origin, _ paths: [String], _ witness: Witness) async throws {
    let session = URLSession(configuration: .inMemory, delegate: witness, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    for path in paths {
      let url = try #require(URL(string: origin.baseURL + path))
      let (_, response) = try await session.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  private func reply(_ status: String, _ name: String, _ values: [[UInt8]]) -> ScriptedReply {
    var bytes = Array("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n".utf8)
    for value in values { bytes += Array("\(name): ".utf8) + value + [0x0D, 0x0A] }
    return ScriptedReply([.bytes(bytes + [0x0D, 0x0A])])
  }

  @Test(arguments: [
    Array("a=caf".utf8) + [0xE9], Array("caf\u{E9}=b".utf8), Array("a=caf\u{E9}".utf8), [0xE9, 0x3D, 0x62],
    Array("a=".utf8) + [0xFF, 0x80, 0xC3], Array("a=".utf8) + (0xA0...0xFF),
  ])
  func aCookie(pair: [UInt8]) async throws {
    let origin = Origin.inMemory()
    let witness = Witness()
    origin.script("/set", reply("200", "Set-Cookie", [pair, Array("plain=\u{20AC}".utf8)]))
    try await load(origin, ["/set", "/get"], witness)
    #expect(witness.lines("Cookie") == [Array("Cookie: ".utf8) + pair + Array("; plain=\u{20AC}".utf8)])
  }

  /// In a file, too, which other programs read.
  @Test func aCookieInAFile() throws {
    let pair = Array("a\tcaf".utf8) + [0xE9]
    let file = Data(Array(".example.org\tTRUE\t/\tFALSE\t0\t".utf8) + pair + [0x0A])
    let cookies = CookieFile(file)
    #expect(cookies.cookies.map(\.value) == ["caf\u{E9}"])
    let written = Array(cookies.data())
    #expect(written.split(separator: 0x0A).last.map { Array($0.suffix(pair.count)) } == pair)
  }

  /// RFC 7616 §3.4.
  @Test(arguments: [Array("Ger".utf8) + [0xE4, 0x74], Array("Ger\u{E4}t".utf8)]) func aRealm(realm: [UInt8])
    async throws
  {
    let origin = Origin.inMemory()
    let witness = Witness()
    let challenge = Array("Digest realm=\"".utf8) + realm + Array("\", nonce=\"n\", qop=\"auth\"".utf8)
    origin.script("/secret", reply("401", "WWW-Authenticate", [challenge]), reply("200", "X", []))
    try await load(origin, ["/secret"], witness)
    let line = try #require(witness.lines("Authorization").first)
    let parameter = Array("realm=\"".utf8) + realm + [0x22]
    #expect(line.indices.contains { line[$0...].starts(with: parameter) })
  }
}
