// SPDX-License-Identifier: MIT

// No `@testable` in this file: it sees what other modules see.
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

/// Members of the matched API that programs reach for from another module.
@Suite struct PublicMembersTests {
  /// Encodable, and nothing that may be sent to another thread.
  private final class Draft: Encodable {
    var title = "draft"
  }

  @Test func encodersTakeWhateverIsEncodable() throws {
    let request = try URLRequest(url: "http://host.test/", method: .post)
    let json = try JSONParameterEncoder.default.encode(Draft(), into: request)
    #expect(json.httpBody == Data(#"{"title":"draft"}"#.utf8))
    let form = try URLEncodedFormParameterEncoder.default.encode(Draft(), into: request)
    #expect(form.httpBody == Data("title=draft".utf8))
  }

  @Test func emptyResponsesAreHashable() {
    #expect(Set([Empty.value, Empty.value]).count == 1)
  }

  @Test func progressHandlersCanBeLookedAt() {
    let queue = DispatchQueue(label: "progress")
    let request = Session(configuration: .inMemory).request("http://host.test/")
    #expect(request.downloadProgressHandler == nil && request.uploadProgressHandler == nil)
    request.downloadProgress(queue: queue) { _ in }.uploadProgress(queue: queue) { _ in }
    #expect(request.downloadProgressHandler?.queue === queue)
    #expect(request.uploadProgressHandler?.queue === queue)
  }

  @Test func credentialStoragesCanBeMade() {
    let storage = URLCredentialStorage()
    let space = URLProtectionSpace(
      host: "host.test", port: 80, protocol: "http", realm: nil, authenticationMethod: nil)
    storage.set(URLCredential(user: "u", password: "p", persistence: .forSession), for: space)
    #expect(storage.credentials(for: space)?.count == 1)
    #expect(URLCredentialStorage().allCredentials.isEmpty)
  }

  @Test func aDownloadMakesTheTaskThatGoesOn() {
    let session = Session(configuration: .inMemory)
    let request = session.download(resumingWith: Data("resume".utf8))
    #expect(
      request.task(forResumeData: Data("resume".utf8), using: session.session) is URLSessionDownloadTask)
  }

  @Test func anUploadsBodyCanBeSetAndCleanedUp() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    try Data("x".utf8).write(to: file)
    let request = Session(configuration: .inMemory).upload(Data(), to: "http://host.test/")
    request.uploadable = .file(file, shouldRemove: true)
    request.cleanup()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  #if Foundation
    @available(*, deprecated)
    private func text(_ response: AFDataResponse<Any>) -> String? {
      (response.value as? [String: Any])?["url"] as? String
    }

    @available(*, deprecated)
    @Test func untypedJSON() async throws {
      let origin = Origin.inMemory()
      let session = Session(configuration: .inMemory)
      let seen = await withCheckedContinuation { continuation in
        session.request(origin.baseURL + "/get").responseJSON(queue: .global()) { response in
          let response: AFDataResponse<Any> = response
          continuation.resume(returning: text(response))
        }
      }
      #expect(seen?.hasSuffix("/get") == true)
      let loaded = await withCheckedContinuation { continuation in
        session.download(origin.baseURL + "/get").responseJSON(queue: .global()) { response in
          let response: AFDownloadResponse<Any> = response
          if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
          continuation.resume(returning: response.value is [String: Any])
        }
      }
      #expect(loaded)
    }
  #endif

  private struct Address: URLRequestConvertible {
    let path: String

    func asURLRequest() throws -> URLRequest { try URLRequest(url: "http://host.test/" + path, method: .get) }
  }

  @Test func requestsShowWhatTheyWereMadeOf() {
    let session = Session(configuration: .inMemory)
    #expect((session.request(Address(path: "a")).convertible as? Address)?.path == "a")
    #expect((session.streamRequest(Address(path: "b")).convertible as? Address)?.path == "b")
    #expect((session.webSocketRequest(performing: Address(path: "c")).convertible as? Address)?.path == "c")
  }

  @available(*, deprecated)
  @Test func sessionsShowWhatTheyWereMadeOf() throws {
    let plain = Session(configuration: .inMemory)
    #expect(plain.serverTrustManager == nil)
    #expect(plain.redirectHandler == nil && plain.cachedResponseHandler == nil)
    #expect(plain.defaultEventMonitors.count == 1 && plain.defaultEventMonitors[0] is AlamofireNotifications)
    let manager = ServerTrustManager(evaluators: ["host.test": DisabledTrustEvaluator()])
    let session = Session(
      configuration: .inMemory, serverTrustManager: manager, redirectHandler: .doNotFollow,
      cachedResponseHandler: .doNotCache)
    #expect(session.serverTrustManager === manager)
    #expect(session.redirectHandler is Redirector && session.cachedResponseHandler is ResponseCacher)
    // The request's own come beside the session's.
    let request = session.request("http://host.test/")
    #expect(request.redirectHandler == nil && request.cachedResponseHandler == nil)
    request.redirect(using: Redirector.follow).cacheResponse(using: ResponseCacher.cache)
    #expect(request.redirectHandler is Redirector && request.cachedResponseHandler is ResponseCacher)
  }

  @Test func webSocketsTakeALimitOfTheirMessages() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .patientInMemory)
    let limited = WebSocketRequest.Configuration.maximumMessageSize(1000)
    #expect(limited.maximumMessageSize == 1000)
    #expect(limited.protocol == nil && limited.pingInterval == nil)
    let chat = session.webSocketRequest(
      to: "ws" + origin.baseURL.dropFirst(4) + "/websocket/echo", configuration: limited
    ).webSocketTask()
    let events = chat.streamingMessageEvents()
    try await chat.send(.data(Data(count: 1000)))
    try await chat.send(.data(Data(count: 1001)))
    var counts: [Int] = []
    var error: AFError?
    for await event in events {
      if case .data(let data)? = event.message { counts.append(data.count) }
      if case .completed(let completion) = event.kind { error = completion.error }
    }
    #expect(counts == [1000] && error != nil)
  }
}
