import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct DownloadRequestTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)

  private func session(onQueues: Bool = false) -> Session {
    Session(configuration: .ephemeral, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
  }

  @Test func withoutADestination() async throws {
    let origin = try Origin.start()
    let session = session()
    let url = try await session.download(origin.baseURL + "/bytes/1000").serializingDownloadedFileURL().value
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(url.lastPathComponent.hasPrefix("Alamofire_"))
    #expect(try Data(contentsOf: url).count == 1000)
  }

  @Test(arguments: [false, true])
  func toADestination(onQueues: Bool) async throws {
    let origin = try Origin.start()
    let session = session(onQueues: onQueues)
    let target = directory.appendingPathComponent("deep/file")
    defer { try? FileManager.default.removeItem(at: directory) }
    for _ in 0..<2 {
      let response = await session.download(
        origin.baseURL + "/bytes/1000",
        to: { _, response in
          #expect(response.statusCode == 200)
          return (target, [.createIntermediateDirectories, .removePreviousFile])
        }
      ).validate().serializingData().response
      #expect(response.fileURL == target)
      #expect(response.value?.count == 1000)
    }
    // Without leave to remove it, what is in the way stays.
    let refused = await session.download(
      origin.baseURL + "/bytes/10", to: { _, _ in (target, []) }
    ).serializingDownloadedFileURL().response
    #expect(refused.error?.isDownloadedFileMoveError == true)
    #expect(try Data(contentsOf: target).count == 1000)
  }

  @Test func validationSeesTheFile() async throws {
    let origin = try Origin.start()
    let session = session()
    let response = await session.download(origin.baseURL + "/xml")
      .validate(contentType: ["application/json"]).serializingData().response
    #expect(response.error?.isResponseValidationError == true)
    if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
  }

  @Test func aCancelledDownloadHandsOutWhatItTakesToGoOn() async throws {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.download("http://host.test/")
    let task = request.serializingData()
    request.cancel(producingResumeData: true)
    let response = await task.response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(request.resumeData == Data("resume".utf8))
    #expect(response.resumeData == request.resumeData)

    let other = scripted.session.download("http://host.test/").resume()
    let handed = await withCheckedContinuation { continuation in
      other.cancel { continuation.resume(returning: $0) }
    }
    #expect(handed == other.resumeData)
  }

  @Test func goingOnNeedsNoURLRequestAndNoAdapter() async throws {
    let adapted = Recorder<Int>()
    let scripted = ScriptedSession(
      interceptor: Adapter { request, _, completion in
        adapted.note(1)
        completion(.success(request))
      }
    ) { _, _ in .silence }
    let request = scripted.session.download(resumingWith: Data("resume".utf8)).resume()
    await Eventually.expect("It has its task.") { request.task != nil }
    #expect((request.task as? URLSessionDownloadTask)?.resumeData == Data("resume".utf8))
    #expect(request.requests.isEmpty && adapted.entries.isEmpty)
    request.cancel()
  }

  @Test func aPlainlyCancelledDownloadLeavesNothing() async throws {
    let origin = try Origin.start()
    let session = session()
    origin.script(
      "/stuck", .text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst bytes").then(.hang))
    let request = session.download(origin.baseURL + "/stuck")
    let task = request.serializingData()
    await Eventually.expect("Some of it is there.") { request.downloadProgress.completedUnitCount > 0 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    #expect(request.resumeData == nil)
  }

  @Test func optionsAreBits() {
    let both: DownloadRequest.Options = [.createIntermediateDirectories, .removePreviousFile]
    #expect(both.rawValue == 3)
  }
}
