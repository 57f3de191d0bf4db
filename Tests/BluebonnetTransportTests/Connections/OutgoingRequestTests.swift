import Glibc
import Testing

@testable import BluebonnetTransport

@Suite struct OutgoingRequestTests {
  /// Sends a request whose channel takes so many bytes at a time, and whose source has pieces of these sizes.
  private func send(_ body: OutgoingRequest.Body, pieces: [Int], taking limit: Int) -> (
    text: String, ofBody: Int
  ) {
    let head = Array("HEAD|".utf8)
    var request = OutgoingRequest()
    request.begin(headBytes: head.count, body: body)
    var text = ""
    var ofBody = 0
    var rest = pieces.map { String(repeating: "x", count: $0) }
    while !request.isComplete {
      if request.wantsPiece {
        if let next = rest.first {
          request.lend(next.utf8.count)
        } else {
          #expect(request.endBody() == 0)
        }
      }
      #expect(!request.isEmpty)
      let source = Array((rest.first ?? "").utf8)
      let taken = source.withUnsafeBytes { source in
        request.withPieces(head: head, rest: source) { pieces -> Int in
          #expect(pieces.count <= 4)
          var room = limit
          for piece in pieces {
            let bytes = UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)
            #expect(!bytes.isEmpty)
            text += String(decoding: bytes.prefix(room), as: UTF8.self)
            room -= min(room, bytes.count)
          }
          return limit - room
        }
      }
      let count = request.sent(taken)
      ofBody += count
      if let first = rest.first {
        rest[0] = String(first.dropFirst(count))
        if rest[0].isEmpty { rest.removeFirst() }
      }
    }
    #expect(request.isEmpty)
    return (text, ofBody)
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func aCountedBodyGoesOutAsItIs(limit: Int) {
    let (text, ofBody) = send(.length(5), pieces: [2, 3], taking: limit)
    #expect(text == "HEAD|xxxxx")
    #expect(ofBody == 5)
  }

  /// Wherever the channel stops, between any two bytes, it goes on there.
  @Test(arguments: 1...40)
  func anUncountedBodyGoesOutInChunks(limit: Int) {
    let (text, ofBody) = send(.chunked, pieces: [3, 17], taking: limit)
    #expect(text == "HEAD|3\r\nxxx\r\n11\r\n\(String(repeating: "x", count: 17))\r\n0\r\n\r\n")
    #expect(ofBody == 20)
  }

  @Test func aRequestWithoutABodyIsItsHead() {
    var request = OutgoingRequest()
    request.begin(headBytes: 4, body: .none)
    #expect(request.headAlone == 0..<4)
    #expect(!request.needsBody)
    #expect(request.sent(3) == 0)
    #expect(request.headAlone == 3..<4)
    #expect(request.sent(1) == 0)
    #expect(request.isComplete)
  }

  /// No more of a source is sent than was announced, and no more at once than a piece.
  @Test func aPieceHasABound() {
    var request = OutgoingRequest()
    request.begin(headBytes: 1, body: .length(OutgoingRequest.pieceSize + 2))
    request.lend(.max)
    #expect(request.sent(1 + OutgoingRequest.pieceSize) == OutgoingRequest.pieceSize)
    request.lend(100)
    #expect(request.sent(2) == 2)
    #expect(request.isComplete)
  }

  @Test func aBodyShorterThanAnnouncedIsKnown() {
    var request = OutgoingRequest()
    request.begin(headBytes: 1, body: .length(5))
    request.lend(2)
    #expect(request.sent(3) == 2)
    #expect(request.endBody() == 3)
  }
}
