// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Errors say in which phase a load broke, and how long it was allowed to take.
@Suite struct PhaseTests {
  private let origin: Origin

  init() {
    origin = Origin.inMemory()
  }

  private func failure(of script: ScriptedReply) async throws -> URLError {
    origin.script("/phase", script)
    let url = try #require(URL(string: origin.baseURL + "/phase"))
    return try #require(
      await #expect(throws: URLError.self) {
        try await URLSession(configuration: .inMemory).data(from: url)
      })
  }

  @Test(
    arguments: [
      ("HTTP/1.1 nonsense\r\n\r\n", .receivingHead),
      ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", .receivingHead),
      ("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 nonsense\r\n\r\n", .receivingHead),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .receivingBody),
      (
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        .decoding
      ),
    ] as [(String, LoadingPhase)])
  func ofWhatIsMalformed(text: String, phase: LoadingPhase) async throws {
    let error = try await failure(of: .text(text))
    #expect(error.transportFailure?.phase == phase)
    #expect(error.loadingPhase == phase)
    #expect(error.loadingFault == .server)
    #expect(error.localizedDescription.contains("while \(phase.rawValue)"))
    #expect(error.transportFailure?.seconds == nil)
  }

  @Test(
    arguments: [
      ("", .waiting), ("HTTP/1.1 103 Early Hints\r\n\r\n", .waiting),
      ("HTTP/1.1 200", .receivingHead),
      ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nno", .receivingBody),
    ] as [(String, LoadingPhase)])
  func ofATimeOut(text: String, phase: LoadingPhase) async throws {
    origin.script("/phase", .text(text).then(.hang))
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/phase")))
    request.timeoutInterval = 1.5
    let failed = Locked<(any Error)?>(nil)
    let session = URLSession(configuration: configuration)
    session.dataTask(with: request) { _, _, error in failed.withLock { $0 = error } }.resume()
    await Eventually.expect("all has come that comes") { [origin] in origin.hangingConnections == 1 }
    clock.advance(by: .milliseconds(1499))
    #expect(failed.withLock { $0 } == nil)
    clock.advance(by: .milliseconds(1))
    await Eventually.expect("it fails") { failed.withLock { $0 } != nil }
    let error = try #require(failed.withLock { $0 } as? URLError)
    #expect(error.code == .timedOut)
    #expect(error.transportFailure?.phase == phase)
    #expect(error.transportFailure?.seconds == 1.5)
    #expect(error.loadingPhase == phase && error.loadingFault == .server)
    session.invalidateAndCancel()
  }

  @Test func waitingForAConnection() async throws {
    origin.script("/held", ScriptedReply([.hang], at: .head))
    let configuration = URLSessionConfiguration.inMemory
    configuration.connectionLimit = 1
    configuration.timeoutIntervalForWaiting = 0.125
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    let held = session.dataTask(with: try #require(URL(string: origin.baseURL + "/held")))
    held.resume()
    defer { held.cancel() }
    await Eventually.expect("the only connection is taken") { [origin] in origin.hangingConnections == 1 }
    let other = Origin.inMemory()
    let url = try #require(URL(string: other.baseURL + "/get"))
    let failed = Locked<(any Error)?>(nil)
    session.dataTask(with: url) { _, _, error in failed.withLock { $0 = error } }.resume()
    clock.advance(by: .milliseconds(125))
    await Eventually.expect("it fails") { failed.withLock { $0 } != nil }
    let error = failed.withLock { $0 } as? URLError
    #expect(error?.code == .timedOut)
    #expect(error?.transportFailure?.phase == .waitingForConnection)
    #expect(error?.transportFailure?.seconds == 0.125)
    #expect(error?.loadingFault == .local)
    #expect(error?.localizedDescription.contains("waiting for a connection") == true)
    #expect(error?.localizedDescription.contains("all 1 connections of the session") == true)
  }

  @Test func theSettingsHaveTheirDefaults() {
    let configuration = URLSessionConfiguration.inMemory
    #expect(configuration.connectionLimit == 256)
    #expect(configuration.lookupLimit == nil)
    #expect(configuration.timeoutIntervalForWaiting == nil)
  }
}
