// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetHTTP1
import Sockets

/// Passes requests on to one upstream, and its responses back. No body is held: the slower side sets the pace of the other one.
struct Relay: Sendable {
  let client: HTTPClient
  /// `https://host:port`, without a path.
  let upstream: String

  /// - Parameter configuration: Trust and identity; the rest is set for a relay here.
  /// - Throws: For a certificate or a key that cannot be used.
  init(upstream: String, _ configuration: HTTPClient.Configuration) throws {
    var configuration = configuration
    configuration.maximumConnectionsPerHost = 64
    // Redirects and content codings are between the client and the upstream.
    configuration.maximumRedirects = 0
    configuration.decodesContent = false
    configuration.userAgent = nil
    client = try HTTPClient(configuration)
    self.upstream = upstream
  }

  /// Serves clients until the listener is stopped, and those that are there to their end. Cancelling the task ends them.
  func serve(_ listener: Listener) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while let connection = try await listener.next() {
        group.addTask { await serve(connection) }
      }
    }
  }

  private func serve(_ connection: Connection) async {
    let reader = RequestReader(connection)
    do {
      while let request = try await reader.nextHead(), !Task.isCancelled {
        guard try await answer(request, of: reader, over: connection) else { break }
      }
    } catch let error as HTTP1Error {
      try? await connection.write(plain(400, "The request is malformed: \(error).\n"))
    } catch {
      if !(error is CancellationError) { log("a connection: \(error)") }
    }
    await connection.finish()
  }

  /// Whether the connection can be used for another request.
  private func answer(
    _ request: Request, of reader: RequestReader, over connection: Connection
  ) async throws -> Bool {
    let head = request.head
    guard head.target.hasPrefix("/"), head.hasExactlyOneHost else {
      try await connection.write(plain(400, "This relay takes paths, for one host.\n"))
      return false
    }
    let response: HTTPClient.StreamingResponse
    do {
      response = try await client.stream(
        HTTPClient.Request(
          upstream + head.target, method: head.method, fields: forwarded(head.fields),
          body: body(of: request, reader, connection)))
    } catch {
      log("\(head.method) \(head.target): \(error)")
      switch error.code {
      case .requestBodyFailed: return false
      case .timedOut: try await connection.write(plain(504, "The upstream does not answer.\n"))
      case .invalidField, .invalidMethod, .invalidURL:
        try await connection.write(plain(400, "The request cannot be passed on.\n"))
      default: try await connection.write(plain(502, "The upstream cannot be reached.\n"))
      }
      return false
    }
    return try await passOn(response, to: request, of: reader, over: connection)
  }

  private func body(of request: Request, _ reader: RequestReader, _ connection: Connection) -> HTTPClient.Body
  {
    if request.bodyLength == 0 { return .none }
    let begin = { @Sendable in
      if request.expectsContinue { try await connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }
    return .stream(RequestBody(reader: reader, begin: begin), length: request.bodyLength)
  }

  private func passOn(
    _ response: HTTPClient.StreamingResponse, to request: Request, of reader: RequestReader,
    over connection: Connection
  ) async throws -> Bool {
    let hasBody = request.head.method != "HEAD" && response.status != 204 && response.status != 304
    let isChunked = hasBody && response.length == nil && request.head.minorVersion > 0
    // A response of unknown length ends with the connection for a client that knows no chunks.
    let keeps = request.keepsConnection && (!hasBody || isChunked || response.length != nil)
    var encoder = ResponseEncoder()
    try encoder.begin(status: response.status, reason: response.head.reason)
    for field in HopByHop.without(response.fields) { try encoder.field(field.name, field.value) }
    if isChunked { try encoder.field("Transfer-Encoding", "chunked") }
    let length = hasBody ? response.length.map { "\($0)" } : response.fields["Content-Length"]
    if let length { try encoder.field("Content-Length", length) }
    if !keeps { try encoder.field("Connection", "close") }
    encoder.end()
    try await connection.write(encoder.bytes)
    if hasBody {
      // The next piece is asked for when the client's socket has taken this one.
      for try await piece in response.body {
        try await connection.write(
          isChunked ? ChunkedEncoder.header(size: piece.count) + piece + ChunkedEncoder.chunkEnd : piece)
      }
      if isChunked { try await connection.write(ChunkedEncoder.terminator) }
    }
    // An upstream may answer before it has read everything; the rest is not worth reading.
    return keeps ? await reader.isAtEnd : false
  }

  private func forwarded(_ fields: FieldBlock) -> HTTPClient.Fields {
    var all = HTTPClient.Fields()
    for (name, value) in fields { all.append(name: name, value: value) }
    var some = HopByHop.without(all)
    // This relay answers the expectation itself.
    (some["Host"], some["Expect"]) = (nil, nil)
    some.append(name: "Via", value: "1.1 relay")
    return some
  }

  /// A response of the relay's own, the last one of its connection.
  private func plain(_ status: Int, _ text: String) -> [UInt8] {
    let head = """
      HTTP/1.1 \(status) \r
      Content-Type: text/plain\r
      Content-Length: \(text.utf8.count)\r
      Connection: close\r
      \r

      """
    return Array((head + text).utf8)
  }
}

/// The fields that are about one connection (RFC 9110 §7.6.1), and those that each side writes anew.
enum HopByHop {
  private static let names: Set = [
    "connection", "content-length", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  static func without(_ fields: HTTPClient.Fields) -> HTTPClient.Fields {
    let named = fields.values("Connection").flatMap { value in
      value.split { ", \t".contains($0) }.map { $0.lowercased() }
    }
    let dropped = names.union(named)
    var kept = HTTPClient.Fields()
    for field in fields where !dropped.contains(field.name.lowercased()) {
      kept.append(name: field.name, value: field.value)
    }
    return kept
  }
}
