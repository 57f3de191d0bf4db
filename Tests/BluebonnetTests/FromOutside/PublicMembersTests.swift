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
}
