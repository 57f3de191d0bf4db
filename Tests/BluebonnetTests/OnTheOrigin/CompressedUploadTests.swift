// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Bodies that are compressed on their way out, and undone by the origin.
@Suite struct CompressedUploadTests {
  enum Source: CaseIterable, Sendable { case parameters, data, file, stream, sequence }

  let origin: Origin
  let session = Session(configuration: .patientInMemory)
  let text = String(repeating: "all work and no play ", count: 40_000)

  init() {
    origin = Origin.inMemory()
  }

  private struct Echo: Decodable { let data: String }

  private func file() throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    return file
  }

  private func upload(_ source: Source, file: URL, to url: String, _ compressor: RequestCompressor) throws
    -> DataRequest
  {
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
      let pieces = stride(from: 0, to: data.count, by: 100_000).map {
        data[$0..<min($0 + 100_000, data.count)]
      }
      return session.upload(Pieces(pieces), length: Int64(data.count), to: url, interceptor: compressor)
    }
  }

  @Test(arguments: RequestCompressor.Coding.allCases, Source.allCases)
  func whatIsCompressedArrives(coding: RequestCompressor.Coding, source: Source) async throws {
    let file = try file()
    defer { try? FileManager.default.removeItem(at: file) }
    let request = try upload(source, file: file, to: origin.baseURL + "/post", RequestCompressor(coding))
    #expect(try await request.serializingDecodable(Echo.self).value.data == text)
    let sent = try #require(origin.requests.last)
    let name = [.deflate: "deflate", .gzip: "gzip", .brotli: "br"][coding]
    #expect(sent.value("Content-Encoding") == name)
    #expect(sent.bodyLength < text.utf8.count / 20)
    // What is in memory has a length; everything else is compressed while it is sent.
    let hasLength = source == .parameters || source == .data
    #expect(sent.value("Content-Length") == (hasLength ? "\(sent.bodyLength)" : nil))
    #expect(sent.value("Transfer-Encoding") == (hasLength ? nil : "chunked"))
    #expect(request.task?.currentRequest?.value(forHTTPHeaderField: "Content-Encoding") == name)
  }

  @Test(arguments: [Source.data, .file, .parameters])
  func itIsSentAgainAfterA307(source: Source) async throws {
    let file = try file()
    defer { try? FileManager.default.removeItem(at: file) }
    let request = try upload(
      source, file: file, to: origin.baseURL + "/redirect-to?statusCode=307&url=/post", .gzipCompressor)
    #expect(try await request.serializingDecodable(Echo.self).value.data == text)
    #expect(origin.requests.map { $0.value("Content-Encoding") } == ["gzip", "gzip"])
  }

  @Test(arguments: [true, false]) func aStreamSaysWhyItIsNotSentAgain(isCompressed: Bool) async throws {
    let response = await session.upload(
      InputStream(data: Data(text.utf8)), to: origin.baseURL + "/redirect-to?statusCode=307&url=/post",
      interceptor: isCompressed ? RequestCompressor(.gzip) : nil
    ).serializingData().response
    let error = try #require(response.error?.underlyingError as? URLError)
    #expect(error.code == .requestBodyStreamExhausted)
    let why = "after the response with status 307, and it is a stream and can only be read once"
    #expect(error.localizedDescription.contains(why), "\(error.localizedDescription)")
  }

  @Test func whatIsDroppedIsNotNamed() async throws {
    let response = await session.upload(
      Data(text.utf8), to: origin.baseURL + "/redirect-to?statusCode=303&url=/get",
      interceptor: .gzipCompressor
    ).serializingData().response
    #expect(response.response?.statusCode == 200)
    #expect(origin.requests.last?.value("Content-Encoding") == nil)
    let plain = await session.request(origin.baseURL + "/get", interceptor: .brotliCompressor)
      .serializingData()
      .response
    #expect(plain.error == nil)
    #expect(origin.requests.last?.value("Content-Encoding") == nil)
  }

  @Test(arguments: Source.allCases) func whatIsSmallIsSentAsItIs(source: Source) async throws {
    let file = try file()
    defer { try? FileManager.default.removeItem(at: file) }
    let compressor = RequestCompressor.compressor(.gzip, minimumLength: 10_000_000)
    let request = try upload(source, file: file, to: origin.baseURL + "/post", compressor)
    #expect(try await request.serializingDecodable(Echo.self).value.data == text)
    // Of a stream nobody knows how long it is.
    #expect(origin.requests.last?.value("Content-Encoding") == (source == .stream ? "gzip" : nil))
  }

  @Test(arguments: [DeflateRequestCompressor.DuplicateHeaderBehavior.error, .replace, .skip])
  func aBodyThatIsCodedAlready(behavior: DeflateRequestCompressor.DuplicateHeaderBehavior) async throws {
    let coded = try ContentEncoder.encode(Array(text.utf8), as: .gzip)
    let response = await session.upload(
      Data(coded), to: origin.baseURL + "/post", headers: ["Content-Encoding": "gzip"],
      interceptor: .compressor(.brotli, duplicateHeaderBehavior: behavior)
    ).serializingData().response
    switch behavior {
    case .error:
      guard case .requestAdaptationFailed(let error)? = response.error else {
        Issue.record("\(response)")
        return
      }
      #expect(error is DeflateRequestCompressor.DuplicateHeaderError)
      #expect(origin.requests.isEmpty)
    case .replace: #expect(origin.requests.last?.values("Content-Encoding") == ["br"])
    case .skip:
      #expect(origin.requests.last?.values("Content-Encoding") == ["gzip"])
      #expect(origin.requests.last?.body == coded)
    }
  }

  /// What turns out to be too short keeps the coding that it has.
  @Test func whatIsNotReplacedKeepsItsName() async throws {
    let coded = try ContentEncoder.encode(Array(text.utf8), as: .gzip)
    let response = await session.upload(
      Data(coded), to: origin.baseURL + "/post", headers: ["Content-Encoding": "gzip"],
      interceptor: .compressor(.brotli, minimumLength: 10_000_000, duplicateHeaderBehavior: .replace)
    ).serializingDecodable(Echo.self).response
    #expect(response.value?.data == text)
    #expect(origin.requests.last?.values("Content-Encoding") == ["gzip"])
    #expect(origin.requests.last?.body == coded)
  }

  @Test func aFileThatIsNotThereIsSaidToBe() async throws {
    let response = await session.upload(
      URL(fileURLWithPath: "/nowhere/at/all"), to: origin.baseURL + "/post", interceptor: .gzipCompressor
    ).serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .fileDoesNotExist)
    #expect(origin.requests.isEmpty)
  }

  @Test func cancellingEndsTheCompressionToo() async throws {
    let pieces = Pieces([Data(count: 5_000_000)], then: .never)
    let request = session.upload(pieces, to: origin.baseURL + "/upload", interceptor: .brotliCompressor)
    let task = request.serializingData()
    await Eventually.expect("it has begun") { pieces.record.elements == 1 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    await Eventually.expect("nobody compresses any more") { pieces.record.isAtRest }
  }

  @Test func aSequenceThatFailsIsTheError() async throws {
    let pieces = Pieces([Data(text.utf8)], then: .failure)
    let response = await session.upload(pieces, to: origin.baseURL + "/post", interceptor: .gzipCompressor)
      .serializingData().response
    #expect(response.error?.underlyingError is Pieces<Data>.Broken)
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
    #expect(origin.requests.allSatisfy { !$0.isComplete })
  }
}
