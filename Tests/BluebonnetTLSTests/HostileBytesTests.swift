// SPDX-License-Identifier: MIT
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

/// Any bytes from the network yield progress or a `TLSError` that is not the caller's fault: never a crash, a
/// hang or plaintext that nobody sent.
@Suite struct HostileBytesTests {
  private func feed(_ bytes: [UInt8], to engine: TLSEngine) throws -> [UInt8] {
    try bytes.withUnsafeBytes { window in
      engine.feed(window)
      defer { engine.keepUnreadInput() }
      return try engine.drain().bytes
    }
  }

  private func expectPeerFault(_ body: () throws -> Void) {
    do {
      try body()
    } catch let error as TLSError {
      #expect(error.fault == .peer || error.fault == .network, "\(error)")
    } catch {
      Issue.record("not a TLSError: \(error)")
    }
  }

  @Test func randomBytesInsteadOfAHandshake() throws {
    var random = SeededGenerator(seed: 1)
    let context = try Shared.client()
    let serverContext = try Shared.server()
    for round in 0..<400 {
      let engine =
        round.isMultiple(of: 2)
        ? try TLSEngine(context: context, host: "localhost") : try TLSEngine(context: serverContext)
      var bytes = (0..<Int.random(in: 1...600, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      // Half of them look like a handshake record at first sight.
      if round % 4 < 2, bytes.count > 5 { bytes.replaceSubrange(0..<3, with: [22, 3, 3]) }
      expectPeerFault {
        _ = try engine.handshake()
        try bytes.withUnsafeBytes {
          engine.feed($0)
          _ = try engine.handshake()
        }
        engine.endOfInput()
        _ = try engine.handshake()
        Issue.record("random bytes made a handshake")
      }
    }
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aFlippedByteAnywhereInTheHandshake(version: TLSVersion) throws {
    var random = SeededGenerator(seed: 2)
    let client = try Shared.client { $0.maximumVersion = version }
    let server = try Shared.server()
    for _ in 0..<300 {
      let pair = try EnginePair(client: client, server: server)
      let target = Int.random(in: 0..<2500, using: &random)
      let flip = UInt8.random(in: 1...255, using: &random)
      var seen = 0
      expectPeerFault {
        var isDone = (client: try pair.client.handshake() == .handshakeComplete, server: false)
        for _ in 0..<10 where !(isDone.client && isDone.server) {
          for (sender, receiver) in [(pair.client, pair.server), (pair.server, pair.client)] {
            var bytes = Array(sender.output)
            sender.outputSent(bytes.count)
            if bytes.indices.contains(target - seen) { bytes[target - seen] ^= flip }
            seen += bytes.count
            try bytes.withUnsafeBytes { window in
              receiver.feed(window)
              defer { receiver.keepUnreadInput() }
              let isComplete = try receiver.handshake() == .handshakeComplete
              if receiver === pair.client { isDone.client = isComplete } else { isDone.server = isComplete }
            }
          }
        }
      }
    }
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aFlippedByteInARecordNeverYieldsOtherPlaintext(version: TLSVersion) throws {
    var random = SeededGenerator(seed: 3)
    let client = try Shared.client { $0.maximumVersion = version }
    let server = try Shared.server()
    let plain = Array("thirty-two bytes that are secret".utf8)
    for _ in 0..<200 {
      let pair = try EnginePair(client: client, server: server)
      try pair.handshake()
      _ = try pair.deliver(from: pair.server, to: pair.client)
      try pair.server.write(plain)
      var bytes = Array(pair.server.output)
      bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      expectPeerFault {
        #expect(try feed(bytes, to: pair.client).isEmpty)
        pair.client.endOfInput()
        _ = try pair.client.drain()
        Issue.record("a forged record was taken")
      }
    }
  }

  @Test func randomBytesAfterTheHandshake() throws {
    var random = SeededGenerator(seed: 4)
    let client = try Shared.client()
    let server = try Shared.server()
    for _ in 0..<200 {
      let pair = try EnginePair(client: client, server: server)
      try pair.handshake()
      _ = try pair.deliver(from: pair.server, to: pair.client)
      let count = Int.random(in: 1...400, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      if count > 5 { bytes.replaceSubrange(0..<5, with: [23, 3, 3, 0, UInt8(min(count - 5, 255))]) }
      expectPeerFault {
        #expect(try feed(bytes, to: pair.client).isEmpty)
        pair.client.endOfInput()
        _ = try pair.client.drain()
        Issue.record("random bytes were taken")
      }
      #expect(throws: TLSError.self) { try pair.client.write([1]) }
    }
  }

  @Test func repeatedAndSwappedRecordsAreRefused() throws {
    for order in [[0, 0], [1, 0]] {
      let pair = try EnginePair(client: Shared.client(), server: Shared.server())
      try pair.handshake()
      _ = try pair.deliver(from: pair.server, to: pair.client)
      var records: [[UInt8]] = []
      for word in ["first", "second"] {
        try pair.server.write(Array(word.utf8))
        records.append(Array(pair.server.output))
        pair.server.outputSent(pair.server.output.count)
      }
      let error = #expect(throws: TLSError.self) {
        for index in order { _ = try feed(records[index], to: pair.client) }
      }
      #expect(error?.code == .protocolViolation)
    }
  }

  @Test func randomCertificatesAndKeysAreErrors() throws {
    var random = SeededGenerator(seed: 5)
    let identity = try Shared.identity.get()
    let good = (identity.certificate.der, identity.privateKey.der)
    for _ in 0..<1000 {
      var (certificate, key) = good
      for _ in 0..<3 {
        certificate[Int.random(in: certificate.indices, using: &random)] = .random(
          in: 0...255, using: &random)
        key[Int.random(in: key.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if let read = try? Certificate(der: certificate) {
        // Whatever was read must be readable.
        _ = (read.subject, read.issuer, read.alternativeNames, read.notAfter, read.serialNumber)
        _ = (read.commonName, read.publicKey, read.isAuthority, read.sha256)
      }
      _ = try? PrivateKey(der: key)
    }
  }
}
