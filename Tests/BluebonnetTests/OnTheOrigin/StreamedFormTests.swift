// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Forms that are encoded while they are sent.
@Suite struct StreamedFormTests {
  let origin: Origin
  let session = Session(configuration: .patientInMemory)

  init() {
    origin = Origin.inMemory()
  }

  private func withFile<Result>(_ size: Int, _ use: (URL) async throws -> Result) async throws -> Result {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString).txt")
    try Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await use(file)
  }

  private func send(
    _ form: MultipartFormData, to path: String = "/post", interceptor: (any RequestInterceptor)? = nil
  ) async
    -> AFDataResponse<Data>
  {
    await session.upload(
      multipartFormData: form, to: origin.baseURL + path, usingThreshold: 0, interceptor: interceptor
    ).serializingData().response
  }

  private func reason(_ error: AFError?) -> String {
    (error?.underlyingError as? URLError)?.localizedDescription ?? "\(error as Any)"
  }

  /// The bytes on the wire are those of `encode()`, and their number is known before.
  @Test(arguments: [0, 1, 300_000, 2_000_000])
  func whatIsStreamedIsWhatIsEncoded(size: Int) async throws {
    try await withFile(size) { file in
      func form() -> MultipartFormData {
        let form = MultipartFormData(boundary: "B")
        form.append(Data("one".utf8), withName: "first")
        form.append(file, withName: "file")
        form.append(
          InputStream(data: Data("stream".utf8)), withLength: 6, name: "s", fileName: "s", mimeType: "a/b")
        form.append(Data(), withName: "last")
        return form
      }
      #expect(await send(form()).response?.statusCode == 200)
      let sent = try #require(origin.requests.last)
      let expected = Array(try form().encode())
      #expect(sent.body == expected)
      #expect(sent.value("Content-Length") == "\(sent.body.count)")
      #expect(sent.value("Content-Type") == "multipart/form-data; boundary=B")
    }
  }

  @Test func aFormWithoutPartsIsEmpty() async throws {
    #expect(await send(MultipartFormData()).error == nil)
    #expect(origin.requests.last?.value("Content-Length") == "0")
  }

  @Test(arguments: [true, false]) func aSequenceIsAPart(isMeasured: Bool) async throws {
    let form = MultipartFormData(boundary: "B")
    form.append(Data("one".utf8), withName: "first")
    form.append(
      Pieces([Data("se".utf8), Data("quence".utf8)]), withLength: isMeasured ? 8 : nil, name: "second",
      mimeType: "text/plain")
    form.append(Data("three".utf8), withName: "third")
    // However small the form is, nobody can wait for the sequence.
    let response = await session.upload(multipartFormData: form, to: origin.baseURL + "/post")
      .serializingData()
      .response
    #expect(response.error == nil)
    let sent = try #require(origin.requests.last)
    let head = "Content-Disposition: form-data; name="
    #expect(
      String(decoding: sent.body, as: UTF8.self)
        == "--B\r\n\(head)\"first\"\r\n\r\none\r\n--B\r\n\(head)\"second\"\r\nContent-Type: text/plain\r\n\r\nsequence"
        + "\r\n--B\r\n\(head)\"third\"\r\n\r\nthree\r\n--B--\r\n")
    #expect(sent.value("Content-Length") == (isMeasured ? "\(sent.body.count)" : nil))
    #expect(form.contentLength == (isMeasured ? 16 : 8))
  }

  @Test func partsComeFromASequence() async throws {
    try await withFile(100_000) { file in
      let parts: [MultipartFormData.Part] = [
        .init(Data("one".utf8), name: "first"), .init(file, name: "file"),
        .init(StreamedBody(Pieces([Data("three".utf8)])), name: "third", fileName: "t", mimeType: "a/b"),
      ]
      let form = MultipartFormData(boundary: "B")
      form.append(parts: Pieces(parts))
      #expect(await send(form).error == nil)
      let same = MultipartFormData(boundary: "B")
      same.append(Data("one".utf8), withName: "first")
      same.append(file, withName: "file")
      same.append(Data("three".utf8), withName: "third", fileName: "t", mimeType: "a/b")
      let expected = Array(try same.encode())
      #expect(origin.requests.last?.body == expected)
      #expect(origin.requests.last?.value("Transfer-Encoding") == "chunked")
    }
  }

  @Test func aFormIsCompressedOnItsWay() async throws {
    try await withFile(1_000_000) { file in
      let form = MultipartFormData(boundary: "B")
      form.append(file, withName: "file")
      #expect(await send(form, to: "/post", interceptor: .gzipCompressor).response?.statusCode == 200)
      let sent = try #require(origin.requests.last)
      #expect(sent.value("Content-Encoding") == "gzip")
      #expect(sent.value("Content-Type") == "multipart/form-data; boundary=B")
    }
  }

  /// A form may have more streams than there are descriptors: each is closed behind its last byte.
  @Test func streamsAreClosedWhenTheyHaveBeenRead() async throws {
    try await withFile(1000) { file in
      let form = MultipartFormData()
      nonisolated(unsafe) var streams: [InputStream] = []
      for _ in 0..<20 {
        let stream = try #require(InputStream(url: file))
        streams.append(stream)
        form.append(stream, withLength: 1000, name: "s", fileName: "s", mimeType: "a/b")
      }
      #expect(await send(form).error == nil)
      #expect(streams.allSatisfy { $0.streamStatus == .closed })
    }
  }

  // MARK: What fails

  @Test func aFileThatHasShrunkFailsTheRequest() async throws {
    try await withFile(100) { file in
      let form = MultipartFormData()
      form.append(file, withName: "file")
      try Data(count: 60).write(to: file)
      let error = await send(form).error
      let length = error?.underlyingError as? AFError.UnexpectedInputStreamLength
      #expect(length?.bytesExpected == 100 && length?.bytesRead == 60)
      await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
      #expect(origin.requests.allSatisfy { !$0.isComplete })
    }
  }

  @Test func aFileThatHasGrownIsCut() async throws {
    try await withFile(100) { file in
      let form = MultipartFormData(boundary: "B")
      form.append(file, withName: "file")
      let expected = try form.encode()
      try (Data(contentsOf: file) + Data(count: 50)).write(to: file)
      #expect(await send(form).error == nil)
      #expect(origin.requests.last?.body == Array(expected))
    }
  }

  @Test func aFileThatHasGoneFailsTheRequest() async throws {
    let form = MultipartFormData()
    let gone = try await withFile(100) { file in
      form.append(file, withName: "file")
      return file
    }
    guard case .multipartEncodingFailed(.bodyPartInputStreamCreationFailed(let url))? = await send(form).error
    else {
      Issue.record("another error")
      return
    }
    #expect(url == gone)
  }

  @Test(arguments: [5 as Int64, 7]) func aSequenceMustKeepItsLength(length: Int64) async throws {
    let form = MultipartFormData()
    form.append(Pieces([Data("abc".utf8), Data("def".utf8)]), withLength: length, name: "s")
    let error = await send(form).error
    #expect(error?.isMultipartEncodingError == true)
    let found = error?.underlyingError as? AFError.UnexpectedInputStreamLength
    #expect(found?.bytesExpected == UInt64(length) && found?.bytesRead == 6)
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
    #expect(origin.requests.allSatisfy { !$0.isComplete })
  }

  @Test func whatAPartThrowsIsTheError() async throws {
    let form = MultipartFormData()
    form.append(Pieces([Data("abc".utf8)], then: .failure), name: "s")
    #expect(await send(form).error?.underlyingError is Pieces<Data>.Broken)
    let other = MultipartFormData()
    other.append(parts: Pieces([MultipartFormData.Part(Data(), name: "a")], then: .failure))
    #expect(await send(other).error?.underlyingError is Pieces<MultipartFormData.Part>.Broken)
    let wrong = MultipartFormData()
    wrong.append(parts: Pieces([MultipartFormData.Part(Data(), name: "a\0")]))
    #expect(await send(wrong).error?.underlyingError is AFError.InvalidPartHeader)
  }

  @Test func cancellingTheRequestCancelsTheParts() async throws {
    let form = MultipartFormData()
    let pieces = Pieces([Data("abc".utf8)], then: .never)
    form.append(pieces, name: "s")
    let request = session.upload(multipartFormData: form, to: origin.baseURL + "/post")
    let task = request.serializingData()
    await Eventually.expect("it is on its way") { (request.task?.countOfBytesSent ?? 0) > 0 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    await Eventually.expect("the sequence is let go") { pieces.record.isAtRest }
  }

  @Test func aSequenceCannotBeEncodedAtOnce() throws {
    let form = MultipartFormData()
    form.append(Pieces([Data("abc".utf8)]), name: "s")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString)")
    let error = #expect(throws: AFError.self) { try form.encode() }
    #expect(error?.underlyingError is AFError.AsynchronousPart)
    #expect(throws: AFError.self) { try form.writeEncodedData(to: file) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: What is sent again

  @Test func aFormOfDataAndFilesIsSentAgain() async throws {
    try await withFile(300_000) { file in
      let form = MultipartFormData(boundary: "B")
      form.append(file, withName: "file")
      form.append(StreamedBody { Pieces([Data("again".utf8)]) }, withName: "body")
      #expect(await send(form, to: "/redirect-to?statusCode=307&url=/post").response?.statusCode == 200)
      #expect(origin.requests.count == 2)
      #expect(origin.requests[0].body == origin.requests[1].body)
      #expect(origin.requests[0].isComplete)
    }
  }

  @Test(arguments: [true, false]) func aFormWithAStreamSaysWhyItIsNot(isRetry: Bool) async throws {
    origin.script("/flaky", .response(status: 503), .endpoint)
    let form = MultipartFormData()
    form.append(Data("one".utf8), withName: "first")
    form.append(InputStream(data: Data("two".utf8)), withLength: 3, name: "s", fileName: "s", mimeType: "a/b")
    let response = await session.upload(
      multipartFormData: form,
      to: origin.baseURL + (isRetry ? "/flaky" : "/redirect-to?statusCode=308&url=/post"),
      usingThreshold: 0,
      interceptor: Retrier { request, _, _, completion in
        completion(isRetry && request.retryCount == 0 ? .retry : .doNotRetry)
      }
    ).validate().serializingData().response
    #expect(
      reason(response.error).contains(
        "part 2 of its form is a stream or a sequence and can only be read once"),
      "\(reason(response.error))")
    #expect(origin.requests.count == 1)
  }

  /// A small one is encoded in memory, once, and can be sent as often as need be.
  @Test func aSmallFormWithAStreamIsSentAgain() async throws {
    let form = MultipartFormData(boundary: "B")
    form.append(InputStream(data: Data("two".utf8)), withLength: 3, name: "s", fileName: "s", mimeType: "a/b")
    let response = await session.upload(
      multipartFormData: form, to: origin.baseURL + "/redirect-to?statusCode=308&url=/post"
    ).serializingData().response
    #expect(response.response?.statusCode == 200)
    #expect(origin.requests.map(\.isComplete) == [true, true])
  }
}
