// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Bodies of requests that a class of the caller's loads.
@Suite(.serialized) struct ProtocolBodyTests {
  enum Source: CaseIterable, Sendable { case parameters, data, file, stream, sequence }

  /// Sends what it gets by a session of its own, as recorders do.
  private class Forwarder: URLProtocol, @unchecked Sendable {
    private static let inner = URLSession(configuration: .inMemory)

    override class func canInit(with request: URLRequest) -> Bool { true }

    var outgoing: URLRequest { request }

    override func startLoading() {
      Self.inner.dataTask(with: outgoing) { [self] data, response, error in
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        if let data { client?.urlProtocol(self, didLoad: data) }
        if let error { return client?.urlProtocol(self, didFailWithError: error) ?? () }
        client?.urlProtocolDidFinishLoading(self)
      }.resume()
    }
  }

  /// Sends a request that it has made itself.
  private final class Copier: Forwarder, @unchecked Sendable {
    override var outgoing: URLRequest {
      guard let url = request.url else { return request }
      var copy = URLRequest(url: url)
      copy.httpMethod = request.httpMethod
      copy.allHTTPHeaderFields = request.allHTTPHeaderFields
      copy.httpBody = request.httpBody
      if let stream = request.httpBodyStream { copy.httpBodyStream = stream }
      return copy
    }
  }

  /// Reads the body, and then sends the task to the address in `To`, or says nothing.
  private final class Reader: URLProtocol, @unchecked Sendable {
    static let state = Locked((begun: Signal(), ended: Signal(), count: 0))

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host() == "read.test" }

    override func startLoading() {
      guard let url = request.url, let stream = request.httpBodyStream else { return }
      if url.path != "/unread" {
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 1000)
        while true {
          let count = stream.read(&buffer, maxLength: buffer.count)
          if count <= 0 { break }
          let begun = Self.state.withLock { state in
            state.count += count
            return state.begun
          }
          begun.raise()
        }
        Self.state.withLock { $0.ended }.raise()
      }
      guard let to = request.value(forHTTPHeaderField: "To").flatMap({ URL(string: $0) }),
        let response = HTTPURLResponse(url: url, statusCode: 307, httpVersion: nil, headerFields: nil)
      else { return }
      var next = request
      next.url = to
      client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
    }
  }

  let origin: Origin
  let text = String(repeating: "all work and no play ", count: 40_000)

  init() {
    origin = Origin.inMemory()
    Reader.state.withLock { $0 = (Signal(), Signal(), 0) }
  }

  private func session(_ type: URLProtocol.Type) -> Session {
    let configuration = URLSessionConfiguration.inMemory
    configuration.protocolClasses = [type]
    return Session(configuration: configuration)
  }

  private struct Echo: Decodable { let data: String? }

  private func upload(
    _ source: Source, file: URL, by session: Session, to url: String, _ compressor: RequestCompressor?
  ) throws -> DataRequest {
    let data = Data(text.utf8)
    switch source {
    case .parameters:
      var request = try URLRequest(url: url, method: .post)
      request.httpBody = data
      return session.request(request, interceptor: compressor)
    case .data: return session.upload(data, to: url, interceptor: compressor)
    case .file: return session.upload(file, to: url, interceptor: compressor)
    case .stream: return session.upload(InputStream(data: data), to: url, interceptor: compressor)
    case .sequence:
      return session.upload(Pieces([data.prefix(10), data.dropFirst(10)]), to: url, interceptor: compressor)
    }
  }

  /// Whatever the class does with the request, its body is compressed once, or not at all.
  @Test(arguments: Source.allCases, [RequestCompressor(.gzip), nil])
  func aNestedSessionSendsTheBodyAsItIs(source: Source, compressor: RequestCompressor?) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for type in [Forwarder.self, Copier.self] {
      let session = session(type)
      let request = try upload(
        source, file: file, by: session, to: origin.baseURL + "/post", compressor)
      let response = await request.serializingDecodable(Echo.self).response
      #expect(response.value?.data == text, "\(type): \(response.debugDescription.prefix(2000))")
      #expect(origin.requests.last?.value("Content-Encoding") == (compressor == nil ? nil : "gzip"))
    }
  }

  /// Nobody waits for a sequence whose request is over.
  @Test func theEndOfTheRequestEndsTheReading() async throws {
    let pieces = Pieces([Data(text.utf8)], then: .never)
    let session = session(Reader.self)
    let request = session.upload(pieces, to: "http://read.test/")
    let task = request.serializingData()
    let (begun, ended, _) = Reader.state.withLock { $0 }
    #expect(try await detached { begun.wait() })
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    guard try await detached({ ended.wait(seconds: 10) }) else {
      Issue.record("the class still reads")
      return
    }
    await Eventually.expect("the sequence is let go") { pieces.record.isAtRest }
  }

  @Test(arguments: [true, false]) func aClassReadsAStream(isUpload: Bool) async throws {
    let session = session(Reader.self)
    let stream = InputStream(data: Data(text.utf8))
    var plain = try URLRequest(url: "http://read.test/", method: .post)
    plain.headers["To"] = origin.baseURL + "/post"
    if !isUpload { plain.httpBodyStream = stream }
    let request = isUpload ? session.upload(stream, with: plain) : session.request(plain)
    let response = await request.serializingDecodable(Echo.self).response
    #expect(Reader.state.withLock { $0.count } == text.utf8.count)
    // It has been read, and cannot be sent once more.
    let error = response.error?.underlyingError as? URLError
    #expect(error?.code == .requestBodyStreamExhausted, "\(response.debugDescription.prefix(1000))")
    #expect(error?.localizedDescription.contains("it is a stream and can only be read once") == true)
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: [true, false]) func aStreamThatNoClassHasReadIsSent(isUpload: Bool) async throws {
    let session = session(Reader.self)
    let stream = InputStream(data: Data(text.utf8))
    var plain = try URLRequest(url: "http://read.test/unread", method: .post)
    plain.headers["To"] = origin.baseURL + "/post"
    if !isUpload { plain.httpBodyStream = stream }
    let request = isUpload ? session.upload(stream, with: plain) : session.request(plain)
    #expect(try await request.serializingDecodable(Echo.self).value.data == text)
  }

  @Test func aSequenceThatAClassHasReadSaysSo() async throws {
    var plain = try URLRequest(url: "http://read.test/", method: .post)
    plain.headers["To"] = origin.baseURL + "/post"
    let session = session(Reader.self)
    let response = await session.upload(Pieces([Data(text.utf8)]), with: plain).serializingData().response
    let error = response.error?.underlyingError as? URLError
    let why = "the body has to be sent again, and it comes from a sequence and can only be read once"
    #expect(error?.localizedDescription.contains(why) == true, "\(response.debugDescription.prefix(1000))")
  }
}
