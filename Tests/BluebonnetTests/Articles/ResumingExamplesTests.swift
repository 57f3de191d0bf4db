// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Runs what the article *Resuming downloads* shows.
@Suite struct ResumingExamplesTests {
  @Test func theExamplesDoWhatTheArticleSays() async throws {
    let origin = try Origin.start()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = folder.appendingPathComponent("file")
    let place: DownloadRequest.Destination = { _, _ in
      (target, [.createIntermediateDirectories, .removePreviousFile])
    }
    let whole = Data((0..<100_000).map { UInt8($0 % 251) })
    let url = origin.baseURL + "/download/100000"
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"100000\"\r\n\r\n"
    let part = ScriptedReply([.bytes(Array(head.utf8) + whole.prefix(5000))])

    origin.script("/download/100000", part.then(.hang), .endpoint)
    let left = try #require(
      await ResumingExamples.cancelling(url, to: place) {
        await Eventually.expect("Some of it is there.") {
          AF.session.unfinishedTasks.contains {
            $0.originalRequest?.url?.absoluteString == url && $0.countOfBytesReceived == 5000
          }
        }
      })
    #expect(try Data(contentsOf: await ResumingExamples.goingOn(left, to: place)) == whole)
    #expect(origin.requests.last?.value("Range") == "bytes=5000-")

    let directory = folder.appendingPathComponent("list", isDirectory: true)
    #expect(try Data(contentsOf: await ResumingExamples.listing(url, in: directory)) == whole)
    let list = try ResumingExamples.listingNextTime(in: directory)
    #expect(list.entries.map(\.isCompleted) == [true])

    let bookmark = folder.appendingPathComponent("bookmark")
    origin.script("/download/100000", part.then(.abruptClose), .endpoint)
    try await ResumingExamples.keeping(url, to: place, in: bookmark)
    #expect(try Data(contentsOf: await ResumingExamples.nextTime(url, to: place, in: bookmark)) == whole)
    #expect(origin.requests.last?.value("Range") == "bytes=5000-")

    origin.script("/download/100000", part.then(.abruptClose), .endpoint)
    try await ResumingExamples.keeping(url, to: place, in: bookmark)
    let kept = try Data(contentsOf: bookmark)
    let file = try await ResumingExamples.elsewhere(kept, url + "?signature=fresh", to: place)
    #expect(try Data(contentsOf: file) == whole)
    #expect(origin.requests.last?.target == "/download/100000?signature=fresh")
    try FileManager.default.removeItem(at: bookmark)
    #expect(try Data(contentsOf: await ResumingExamples.nextTime(url, to: place, in: bookmark)) == whole)
  }
}
