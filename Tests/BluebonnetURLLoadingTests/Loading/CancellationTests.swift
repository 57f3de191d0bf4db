// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Cancelling works in every phase, and leaves nothing behind.
@Suite(.serialized) struct CancellationTests {
  enum Phase: String, CaseIterable {
    case beforeResume, handshake, waiting, receiving, queued
  }

  @Test(arguments: Phase.allCases) func endsTheLoad(phase: Phase) async throws {
    let origin = try Origin.start(security: phase == .handshake ? .tls : .plain)
    if phase == .handshake { origin.reception = .silence }
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.hang))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let path = phase == .receiving ? "/half" : "/delay/10"
    let url = try #require(URL(string: origin.baseURL + path))
    let blocker = session.dataTask(with: url) { _, _, _ in }
    if phase == .queued { blocker.resume() }
    let task = session.dataTask(with: url)
    if phase != .beforeResume { task.resume() }
    switch phase {
    case .beforeResume: break
    case .handshake: await Eventually.expect("it connects") { origin.connectionCount == 1 }
    case .waiting, .queued: await Eventually.expect("it sends") { origin.requests.count == 1 }
    case .receiving: await Eventually.expect("it receives") { delegate.record.data.count == 5 }
    }
    task.cancel()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
    session.invalidateAndCancel()
    await Eventually.expect("the connections are closed") {
      delegate.record.events.last == "invalid" && (phase == .handshake || origin.openConnections == 0)
    }
  }

  /// A hundred loads that go wrong in every way leave no descriptor open.
  @Test func nothingLeaks() async throws {
    let origin = try Origin.start()
    origin.script("/reset", .reset)
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.close))
    let warmUp = URLSession(configuration: .ephemeral)
    _ = try await warmUp.data(from: try #require(URL(string: origin.baseURL + "/get")))
    warmUp.invalidateAndCancel()
    await Eventually.expect("idle") { origin.openConnections == 0 }
    for _ in 0..<5 {
      let session = URLSession(configuration: .ephemeral)
      await withTaskGroup(of: Void.self) { group in
        for path in ["/get", "/reset", "/half", "/status/500", "/gzip"] {
          for _ in 0..<4 {
            group.addTask {
              guard let url = URL(string: origin.baseURL + path) else { return }
              _ = try? await session.data(from: url)
            }
          }
        }
      }
      session.invalidateAndCancel()
    }
    await Eventually.expect("every connection is closed") { origin.openConnections == 0 }
  }
}
