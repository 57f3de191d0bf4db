// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Sockets

/// Reads the requests of one connection, bodies piece by piece.
actor RequestReader {
  private let connection: Connection
  private var parser = RequestParser()
  private var bytes: [UInt8] = []
  private var consumed = 0

  init(_ connection: Connection) { self.connection = connection }

  /// The head of the next request; nil if the client has closed between two requests.
  ///
  /// - Throws: An `HTTP1Error` for a malformed head, and the connection's errors.
  func nextHead() async throws -> Request? {
    parser.reset()
    while true {
      switch try parser.next(in: bytes.span, consumed: &consumed) {
      case .needsMore:
        if try await !receive() {
          // An idle connection that ends is no error; a head that breaks off is.
          if bytes.isEmpty { return nil }
          _ = try parser.finish()
        }
      case .head:
        return Request(
          head: parser.head, bodyLength: parser.bytesExpected, keepsConnection: parser.keepsConnection,
          expectsContinue: parser.expects100Continue)
      case .body, .end: preconditionFailure("a request begins with its head")
      }
    }
  }

  /// The next piece of the body; nil behind the last one.
  func nextPiece() async throws -> [UInt8]? {
    while true {
      switch try parser.next(in: bytes.span, consumed: &consumed) {
      case .needsMore: if try await !receive() { _ = try parser.finish() }
      case .body(let range): return Array(bytes[range])
      case .end, .head: return nil
      }
    }
  }

  /// Whether the request has been read to its end, without reading more of it.
  var isAtEnd: Bool { (try? parser.next(in: bytes.span, consumed: &consumed)) == .end }

  /// Adds what the client sends next. False if that is the end of the stream.
  private func receive() async throws -> Bool {
    bytes.removeFirst(consumed)
    consumed = 0
    let more = try await connection.read()
    bytes += more
    return !more.isEmpty
  }
}

/// A request's head and the facts about its body.
struct Request: Sendable {
  let head: RequestHead
  /// Bytes of body; nil if the client sends chunks.
  let bodyLength: Int?
  let keepsConnection: Bool
  let expectsContinue: Bool
}

/// A request's body as the upstream asks for it: nothing is read from the client before that.
struct RequestBody: AsyncSequence, Sendable {
  let reader: RequestReader
  /// Called before the first piece is read.
  let begin: @Sendable () async throws -> Void

  struct AsyncIterator: AsyncIteratorProtocol {
    let body: RequestBody
    var hasBegun = false

    mutating func next() async throws -> [UInt8]? {
      if !hasBegun { try await body.begin() }
      hasBegun = true
      return try await body.reader.nextPiece()
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
}
