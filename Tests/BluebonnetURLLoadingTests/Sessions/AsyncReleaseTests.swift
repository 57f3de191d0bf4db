// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// Nothing is kept of a session and its tasks once nobody refers to them.
@Suite struct AsyncReleaseTests {
  private struct Weak: Sendable {
    weak var session: URLSession?
  }

  @Test(arguments: ["data", "download"]) func anAwaitedTaskKeepsNothing(kind: String) async throws {
    let origin = Origin.inMemory()
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let watched = Locked(Weak())
    func load() async throws {
      let session = URLSession(configuration: .inMemory)
      watched.withLock { $0.session = session }
      if kind == "data" {
        _ = try await session.data(from: url)
      } else {
        let (file, _) = try await session.download(from: url)
        try FileManager.default.removeItem(at: file)
      }
    }
    try await load()
    await Eventually.expect("the session has gone") { watched.withLock { $0.session } == nil }
  }
}
