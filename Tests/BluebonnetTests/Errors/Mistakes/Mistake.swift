// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Something that goes wrong for a user, and what is said about it.
struct Mistake: Sendable, CustomTestStringConvertible {
  /// What goes wrong, in a few words.
  let testDescription: String
  /// The whole text. `ORIGIN` stands for the origin's host and port, `NOBODY` for those where nobody listens, `FOLDER` for
  /// a folder of the test's own, and `…` for what other libraries say there.
  let text: String
  /// Makes the mistake and returns what comes of it.
  let make: @Sendable (MistakeStage) async throws -> (any Error)?

  init(
    _ name: String, _ text: String, _ make: @escaping @Sendable (MistakeStage) async throws -> (any Error)?
  ) {
    testDescription = name
    self.text = text
    self.make = make
  }

  /// A GET of an address in which `ORIGIN` stands for the origin.
  init(_ name: String, of address: String, _ text: String) {
    self.init(name, text) { stage in
      await stage.failure(of: stage.session().request(stage.filled(address)))
    }
  }

  /// A GET that the origin answers like this.
  init(_ name: String, reply: ScriptedReply, _ text: String) {
    self.init(name, text) { stage in
      stage.origin.script("/x", reply)
      return await stage.failure(of: stage.session().request(stage.filled("http://ORIGIN/x")))
    }
  }

  static let all: [Mistake] =
    addresses + connecting + timeOuts + securing + answers + redirecting + validating + serializing
    + requesting + files + sessions
}

/// What the mistakes are made with.
final class MistakeStage: Sendable {
  let origin: Origin
  private let closedPort: ClosedPort
  let folder: String
  /// Kept until the end: a session that is released ends its requests.
  private let kept = Recorder<Session>()

  init(security: Origin.Security = .plain) throws {
    origin = try Origin.start(security: security)
    closedPort = try ClosedPort()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bluebonnet-mistakes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func session(
    interceptor: (any RequestInterceptor)? = nil, serverTrustManager: ServerTrustManager? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    let session = Session(
      configuration: configuration, interceptor: interceptor, serverTrustManager: serverTrustManager)
    kept.note(session)
    return session
  }

  func failure(of request: DataRequest) async -> (any Error)? {
    await request.serializingData(emptyResponseCodes: [200]).response.error
  }

  /// What a request comes to when its time is up.
  ///
  /// - Parameters:
  ///   - clock: Its session's.
  ///   - isReady: Whether all has come that comes before.
  func failure(
    of request: DataRequest, after seconds: Double, by clock: EventLoop, isReady: @Sendable () -> Bool
  ) async -> (any Error)? {
    let task = request.serializingData(emptyResponseCodes: [200])
    await Eventually.expect("all has come that comes") { isReady() }
    clock.advance(by: .seconds(seconds))
    return await task.response.error
  }

  /// What a decoder makes of this body.
  func failure<Value: Decodable & Sendable>(
    decoding body: String, as type: Value.Type
  ) async -> (any Error)? {
    origin.script("/x", .response(fields: [("Content-Type", "application/json")], body: body.utf8))
    let request = session().request(filled("http://ORIGIN/x"))
    return await request.serializingDecodable(type).response.error
  }

  func url(_ text: String) throws -> URL { try #require(URL(string: filled(text))) }

  func filled(_ text: String) -> String {
    text.replacing("ORIGIN", with: place).replacing("NOBODY", with: closedPlace)
      .replacing("FOLDER", with: folder)
  }

  /// `filled`, the other way round.
  func emptied(_ text: String) -> String {
    text.replacing(place, with: "ORIGIN").replacing(closedPlace, with: "NOBODY")
      .replacing(folder, with: "FOLDER")
  }

  private var place: String { "127.0.0.1:\(origin.port)" }
  private var closedPlace: String { "127.0.0.1:\(closedPort.number)" }
}
