// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

@testable import Bluebonnet

@Suite struct DownloadRequestTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)

  private func session(onQueues: Bool = false) -> Session {
    Session(configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
  }

  @Test func withoutADestination() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let url = try await session.download(origin.baseURL + "/bytes/1000").serializingDownloadedFileURL().value
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(url.lastPathComponent.hasPrefix("Alamofire_"))
    #expect(try Data(contentsOf: url).count == 1000)
  }

  @Test(arguments: [false, true])
  func toADestination(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
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
    let origin = Origin.inMemory()
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
    let origin = Origin.inMemory()
    let session = session()
    origin.script(
      "/stuck", .text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst bytes").then(.hang))
    let request = session.download(origin.baseURL + "/stuck") { $0.timeoutInterval = 600 }
    let task = request.serializingData()
    await Eventually.expect("Some of it is there.") { request.downloadProgress.completedUnitCount > 0 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    #expect(request.resumeData == nil)
  }

  /// Whoever cancels while the destination is asked hears of the end behind it. A file that has got its place keeps it.
  @Test(arguments: [false, true]) func aCancellationWaitsForTheDestination(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let session = session(onQueues: onQueues)
    let (begun, goOn) = (Signal(), Signal())
    let target = directory.appendingPathComponent("file")
    defer { try? FileManager.default.removeItem(at: directory) }
    let events = Recorder<String>()
    let request = session.download(
      origin.baseURL + "/bytes/1000",
      to: { _, _ in
        begun.raise()
        #expect(goOn.wait())
        events.note("destination")
        return (target, [.createIntermediateDirectories])
      })
    let task = request.serializingData()
    request.response { _ in events.note("end") }
    #expect(begun.wait())
    request.cancel()
    goOn.raise()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    await Eventually.expect("It ends.") { events.entries.contains("end") }
    #expect(events.entries == ["destination", "end"])
    #expect(FileManager.default.fileExists(atPath: target.path))
  }

  /// The time for the resource is over when all of it is there.
  @Test func theDestinationMayTakeLonger() async throws {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.timeoutIntervalForResource = 10
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let target = directory.appendingPathComponent("file")
    defer { try? FileManager.default.removeItem(at: directory) }
    let response = await session.download(
      origin.baseURL + "/bytes/1000",
      to: { _, _ in
        clock.advance(by: .seconds(15))
        return (target, [.createIntermediateDirectories])
      }
    ).serializingData().response
    #expect(response.error == nil)
    #expect(response.fileURL == target)
  }

  /// Notes where each download lay before it was moved.
  private final class Locations: EventMonitor {
    let queue = DispatchQueue(label: "test.monitor")
    let found = Recorder<URL>()

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) { found.note(location) }

    /// What is left of the downloads, whatever it is called now.
    var leftovers: [String] {
      queue.sync {}
      return found.entries.flatMap { location -> [String] in
        let names = try? FileManager.default.contentsOfDirectory(
          atPath: location.deletingLastPathComponent().path)
        return (names ?? []).filter { $0.hasSuffix(location.lastPathComponent) }
      }
    }
  }

  @Test(arguments: [false, true]) func aFailedMoveLeavesNothing(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let locations = Locations()
    let session = Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      eventMonitors: [locations])
    let nowhere = directory.appendingPathComponent("not/there")
    let response = await session.download(origin.baseURL + "/bytes/1000", to: { _, _ in (nowhere, []) })
      .serializingData().response
    #expect(response.error?.isDownloadedFileMoveError == true)
    await Eventually.expect("It was there.") { locations.found.entries.count == 1 }
    await Eventually.expect("Nothing is left.") { locations.leftovers.isEmpty }
  }

  @Test(arguments: [false, true]) func aFailedValidationLeavesNothing(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let locations = Locations()
    let session = Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      eventMonitors: [locations])
    let seen = Recorder<Int>()
    let response = await session.download(origin.baseURL + "/xml")
      .validate { _, _, file in
        seen.note((try? Data(contentsOf: try #require(file)))?.count ?? 0)
        return .success(())
      }
      .validate(contentType: ["application/json"]).serializingData().response
    #expect(response.error?.isResponseValidationError == true)
    #expect(seen.entries.count == 1 && seen.entries.allSatisfy { $0 > 0 }, "A validator sees the file.")
    // What is gone is not named.
    #expect(response.fileURL == nil)
    await Eventually.expect("It was there.") { locations.found.entries.count == 1 }
    #expect(locations.leftovers.isEmpty)
  }

  /// Its owner named the place, and may want to see what the server had to say.
  @Test func aFailedValidationKeepsWhatHasADestination() async throws {
    let origin = Origin.inMemory()
    let target = directory.appendingPathComponent("file")
    defer { try? FileManager.default.removeItem(at: directory) }
    let session = session()
    let response = await session.download(
      origin.baseURL + "/xml", to: { _, _ in (target, [.createIntermediateDirectories]) }
    ).validate(contentType: ["application/json"]).serializingData().response
    #expect(response.error?.isResponseValidationError == true)
    #expect(response.fileURL == target && FileManager.default.fileExists(atPath: target.path))
  }

  @Test func anAttemptThatIsRepeatedLeavesNothing() async throws {
    let origin = Origin.inMemory()
    let locations = Locations()
    let session = Session(
      configuration: .inMemory,
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 2 ? .retry : .doNotRetry)
      }, eventMonitors: [locations])
    let response = await session.download(origin.baseURL + "/xml").serializingDecodable(Int.self).response
    #expect(response.error?.isResponseSerializationError == true)
    await Eventually.expect("There were three.") { locations.found.entries.count == 3 }
    // The last one is the caller's.
    #expect(locations.leftovers.count == 1)
    if let file = response.fileURL { try FileManager.default.removeItem(at: file) }
  }

  @Test(arguments: [false, true]) func aFileMayStayWhereItIs(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let session = session(onQueues: onQueues)
    let url = try await session.download(
      origin.baseURL + "/bytes/1000", to: { temporary, _ in (temporary, [.removePreviousFile]) }
    ).serializingDownloadedFileURL().value
    #expect(try Data(contentsOf: url).count == 1000)
    try FileManager.default.removeItem(at: url)
  }

  /// A place that nobody named, though somebody was asked: it goes with an attempt that fails.
  @Test(arguments: [false, true]) func whatStaysWhereItIsGoesWithAFailedAttempt(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let locations = Locations()
    let session = Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      }, eventMonitors: [locations])
    let response = await session.download(origin.baseURL + "/xml", to: { temporary, _ in (temporary, []) })
      .validate(contentType: ["application/json"]).serializingData().response
    #expect(response.error?.isResponseValidationError == true)
    #expect(response.fileURL == nil)
    await Eventually.expect("There were two.") { locations.found.entries.count == 2 }
    #expect(locations.leftovers.isEmpty)
  }

  /// However its own place is spelled, a file is not removed to make room for itself.
  @Test(arguments: ["same", "dots", "link"]) func itsPlaceHasManySpellings(spelling: String) async throws {
    let origin = Origin.inMemory()
    let session = session()
    let directory = directory
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = try await session.download(
      origin.baseURL + "/bytes/1000",
      to: { temporary, _ in
        let (place, name) = (temporary.deletingLastPathComponent(), temporary.lastPathComponent)
        let spelled: URL
        switch spelling {
        case "dots":
          spelled = URL(fileURLWithPath: "\(place.path)/../\(place.lastPathComponent)/./\(name)")
        case "link":
          try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
          let link = directory.appendingPathComponent("link").path
          #expect(symlink(place.path, link) == 0)
          spelled = URL(fileURLWithPath: "\(link)/\(name)")
        default: spelled = temporary
        }
        return (spelled, [.removePreviousFile, .createIntermediateDirectories])
      }
    ).serializingDownloadedFileURL().value
    #expect(try Data(contentsOf: url).count == 1000)
    try FileManager.default.removeItem(at: url)
  }

  /// What is at the destination.
  enum Obstacle: CaseIterable {
    case file, emptyDirectory, directory, linkToFile, linkToDirectory, linkToNowhere

    /// Whether it goes with `.removePreviousFile`.
    var isRemoved: Bool { self != .emptyDirectory && self != .directory }
  }

  @Test(arguments: Obstacle.allCases, [false, true])
  func whatIsInTheWay(obstacle: Obstacle, removes: Bool) async throws {
    let origin = Origin.inMemory()
    let locations = Locations()
    let session = Session(configuration: .inMemory, eventMonitors: [locations])
    let (target, other) = (
      directory.appendingPathComponent("target"), directory.appendingPathComponent("other")
    )
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    switch obstacle {
    case .file: try Data("old".utf8).write(to: target)
    case .emptyDirectory:
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    case .directory:
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      try Data("old".utf8).write(to: target.appendingPathComponent("within"))
    case .linkToFile:
      try Data("old".utf8).write(to: other)
      #expect(symlink(other.path, target.path) == 0)
    case .linkToDirectory:
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      #expect(symlink(other.path, target.path) == 0)
    case .linkToNowhere: #expect(symlink(other.path, target.path) == 0)
    }
    let before = try #require(Facts(target.path))
    let response = await session.download(
      origin.baseURL + "/bytes/1000", to: { _, _ in (target, removes ? [.removePreviousFile] : []) }
    ).serializingDownloadedFileURL().response
    if removes, obstacle.isRemoved {
      #expect(response.value == target)
      #expect(try Data(contentsOf: target).count == 1000)
    } else {
      #expect(response.error?.isDownloadedFileMoveError == true)
      #expect(Facts(target.path) == before, "It stays as it was.")
      if obstacle == .directory {
        #expect(FileManager.default.fileExists(atPath: target.appendingPathComponent("within").path))
      }
    }
    // Nothing is reached through a link.
    if obstacle == .linkToFile { #expect(try Data(contentsOf: other) == Data("old".utf8)) }
    if obstacle == .linkToDirectory { #expect(FileManager.default.fileExists(atPath: other.path)) }
    await Eventually.expect("It was there.") { locations.found.entries.count == 1 }
    await Eventually.expect("Nothing is left.") { locations.leftovers.isEmpty }
  }

  /// Notes what it is asked for.
  private final class Files: FileManager, @unchecked Sendable {
    let steps = Recorder<String>()

    override func removeItem(at url: URL) throws {
      steps.note("remove \(url.lastPathComponent)")
      try super.removeItem(at: url)
    }

    override func moveItem(at source: URL, to destination: URL) throws {
      steps.note("move to \(destination.lastPathComponent)")
      try super.moveItem(at: source, to: destination)
    }
  }

  @Test(arguments: [false, true]) func aFileManagerOfTheCallersTakesEachStep(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let files = Files()
    let session = Session(
      configuration: .inMemory, delegate: SessionDelegate(fileManager: files),
      rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
    let target = directory.appendingPathComponent("target")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data("old".utf8).write(to: target)
    let file = try await session.download(
      origin.baseURL + "/bytes/1000", to: { _, _ in (target, [.removePreviousFile]) }
    ).serializingDownloadedFileURL().value
    #expect(file == target)
    #expect(try Data(contentsOf: target).count == 1000)
    #expect(files.steps.entries == ["remove target", "move to target"])
  }

  /// The path of a URL that is none of a file is not taken for one.
  @Test func aDestinationHasToBeAFile() async throws {
    let origin = Origin.inMemory()
    let session = session()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("target").path
    let target = try #require(URL(string: "http://host.test\(path)"))
    let response = await session.download(
      origin.baseURL + "/bytes/1000", to: { _, _ in (target, [.removePreviousFile]) }
    ).serializingDownloadedFileURL().response
    #expect(response.error?.isDownloadedFileMoveError == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Which entry of its directory it is.
  private struct Facts: Equatable {
    let mode: mode_t
    let number: ino_t

    init?(_ path: String) {
      var facts = stat()
      guard lstat(path, &facts) == 0 else { return nil }
      (mode, number) = (facts.st_mode, facts.st_ino)
    }
  }

  @Test func optionsAreBits() {
    let both: DownloadRequest.Options = [.createIntermediateDirectories, .removePreviousFile]
    #expect(both.rawValue == 3)
  }

  private struct Name: Decodable, Sendable {
    let firstName: String
  }

  /// Rewrites quotes, so that it is seen to have been asked.
  private struct Requoting: DataPreprocessor {
    func preprocess(_ data: Data) throws -> Data { Data(data.map { $0 == 0x27 ? 0x22 : $0 }) }
  }

  /// What handlers with parameters are told, on their queue.
  @Test(arguments: [false, true]) func handlersOfValues(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    origin.handle("/latin") { _ in .response(body: [0x67, 0xFC]) }
    origin.handle("/name") { _ in .response(body: "{'first_name': 'Ada'}".utf8) }
    origin.handle("/empty") { _ in .response(body: []) }
    let session = session(onQueues: onQueues)
    let queue = DispatchQueue(label: "test.downloads")
    func text(
      _ path: String, encoding: String.Encoding? = nil, emptyResponseCodes: Set<Int> = [204]
    ) async -> AFDownloadResponse<String> {
      await withCheckedContinuation { continuation in
        session.download(origin.baseURL + path).responseString(
          queue: queue, encoding: encoding, emptyResponseCodes: emptyResponseCodes
        ) { response in
          dispatchPrecondition(condition: .onQueue(queue))
          if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
          continuation.resume(returning: response)
        }
      }
    }
    #expect(await text("/latin", encoding: .isoLatin1).value == "gü")
    #expect(await text("/empty").error?.isResponseSerializationError == true)
    #expect(await text("/empty", emptyResponseCodes: [200]).value?.isEmpty == true)
    #expect(await text("/get").value?.contains("/get") == true)

    func name(_ decoder: JSONDecoder, _ preprocessor: any DataPreprocessor) async -> Result<Name, AFError> {
      await withCheckedContinuation { continuation in
        session.download(origin.baseURL + "/name").responseDecodable(
          of: Name.self, queue: queue, dataPreprocessor: preprocessor, decoder: decoder
        ) { response in
          dispatchPrecondition(condition: .onQueue(queue))
          if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
          continuation.resume(returning: response.result)
        }
      }
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try await name(decoder, Requoting()).get().firstName == "Ada")
    #expect(await name(decoder, .passthrough).failure?.isResponseSerializationError == true)
    #expect(await name(JSONDecoder(), Requoting()).failure?.isResponseSerializationError == true)
  }

  /// Without leave to remove what is there, the file of an attempt that is repeated would be in the next one's way.
  @Test(arguments: [false, true]) func anAttemptsFileIsNotInTheWayOfTheNext(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    origin.script("/a", .response(status: 503, body: "busy".utf8), .response(body: "good".utf8))
    let session = Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: RetryPolicy(exponentialBackoffScale: 0))
    let target = directory.appendingPathComponent("file")
    defer { try? FileManager.default.removeItem(at: directory) }
    let response = await session.download(
      origin.baseURL + "/a", to: { _, _ in (target, [.createIntermediateDirectories]) }
    ).validate().serializingData().response
    #expect(response.value.map { String(decoding: $0, as: UTF8.self) } == "good")
    #expect(response.fileURL == target && origin.requests.count == 2)
  }
}
