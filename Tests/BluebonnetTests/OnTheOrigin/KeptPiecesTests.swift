// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

@testable import Bluebonnet

/// Large pieces of a body are handed out in the buffers they came in: what a consumer keeps must stay what it was.
@Suite struct KeptPiecesTests {
  private final class Pieces: Sendable {
    let all = Locked<[Data]>([])
  }

  @Test(arguments: [false, true])
  func piecesThatAreKeptDoNotChange(isSecure: Bool) async throws {
    let origin = try Origin.start(security: isSecure ? .tls : .plain)
    let body = [UInt8](cycling: 6 << 20)
    origin.handle("/body") { _ in
      ScriptedReply([
        .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)), .bytes(body),
      ])
    }
    let configuration = URLSessionConfiguration.ephemeral
    if let authority = origin.authority {
      configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority))])
    }
    let session = Session(configuration: configuration)
    let pieces = Pieces()
    let error = await withCheckedContinuation { continuation in
      session.streamRequest(origin.baseURL + "/body").responseStream(on: .global()) { stream in
        switch stream.event {
        case .stream(.success(let piece)): pieces.all.withLock { $0.append(piece) }
        case .complete(let completion): continuation.resume(returning: completion.error)
        }
      }
    }
    #expect(error == nil)
    let kept = pieces.all.withLock { $0 }
    #expect(kept.contains { $0.count >= 128 * 1024 })
    #expect(kept.map(\.count).reduce(0, +) == body.count)
    // On a concurrent queue the pieces may have been stored out of order: each is looked at by itself.
    #expect(
      kept.allSatisfy { piece in
        let phase = Int(piece[piece.startIndex])
        return piece == Data(body[phase..<phase + piece.count])
      })
  }
}
