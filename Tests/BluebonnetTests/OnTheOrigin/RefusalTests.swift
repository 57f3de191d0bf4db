// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Refused settings, local URLs and protocol classes, as requests of a session see them.
@Suite(.serialized) struct RefusalTests {
  private final class Stub: URLProtocol, @unchecked Sendable {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host() == "stub.test" }

    override func startLoading() {
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "text/plain"])
      else { return }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("stubbed".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  /// The error tells what was refused, and no retry is wasted on it.
  @Test func aRefusedSettingIsTold() async throws {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.connectionProxyDictionary = ["ProxyAutoConfigEnable": 1]
    let session = Session(configuration: configuration, interceptor: RetryPolicy(exponentialBackoffScale: 0))
    let request = session.request(origin.baseURL + "/get")
    let error = await request.serializingData().response.error
    #expect(error?.isSessionTaskError == true)
    let refused = (error?.underlyingError as? URLError)?.refusedSetting
    #expect(refused?.member == "URLSessionConfiguration.connectionProxyDictionary")
    #expect(error?.localizedDescription.contains("connectionProxyDictionary") == true)
    #expect(request.retryCount == 0)
    #expect(origin.connectionCount == 0)
  }

  @Test func aDownloadResumedWithOtherDataFails() async throws {
    let session = Session(configuration: .inMemory)
    let response = await session.download(resumingWith: Data("resume".utf8)).serializingData().response
    let refused = (response.error?.underlyingError as? URLError)?.refusedSetting
    #expect(refused?.member == "URLSession.downloadTask(withResumeData:)")
  }

  @Test func localURLsAreLoaded() async throws {
    let session = Session(configuration: .inMemory)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
    try Data("hello".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await session.request(file).serializingString().value == "hello")
    #expect(try await session.request("data:,hello").serializingString().value == "hello")
    let response = await session.request(file).validate().serializingData().response
    #expect(response.error == nil)
    #expect(response.response == nil)
    let copy = try await session.download(file).serializingDownloadedFileURL().value
    defer { try? FileManager.default.removeItem(at: copy) }
    #expect(try Data(contentsOf: copy) == Data("hello".utf8))
    let absent = await session.request(file.appendingPathExtension("not")).serializingData().response
    #expect((absent.error?.underlyingError as? URLError)?.code == .fileDoesNotExist)
  }

  @Test(arguments: [false, true]) func aProtocolClassAnswers(onQueues: Bool) async throws {
    let configuration = URLSessionConfiguration.af.default.inMemory()
    configuration.protocolClasses = [Stub.self]
    let session = Session(
      configuration: configuration, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
    let response = await session.request("http://stub.test/").validate().serializingString().response
    #expect(response.value == "stubbed")
    #expect(response.metrics?.transactionMetrics.count == 1)
    let upload = session.upload(Data("a".utf8), to: "http://stub.test/")
    #expect(try await upload.serializingString().value == "stubbed")
    let pieces = session.streamRequest("http://stub.test/").streamTask().streamingData()
    var streamed = Data()
    for await piece in pieces { if let data = piece.value { streamed += data } }
    #expect(streamed == Data("stubbed".utf8))
  }
}
