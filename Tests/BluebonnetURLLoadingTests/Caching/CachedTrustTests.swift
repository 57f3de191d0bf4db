// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache
@testable import BluebonnetURLLoading

/// What came from a server that one session trusts is not shown by another one that does not.
@Suite struct CachedTrustTests {
  private let authority: OriginAuthority
  private let origin: Origin
  private let folder: StoreFolder

  init() throws {
    authority = try OriginAuthority()
    origin = try Origin.start(security: .identity(try authority.issue()))
    folder = try StoreFolder()
    for path in ["/small", "/large"] {
      let body = Data(path.utf8) + Data(count: path == "/large" ? 100_000 : 0)
      origin.script(
        path, .response(fields: [("Cache-Control", "max-age=600"), ("ETag", "\"a\"")], body: body))
    }
  }

  private func cache() -> URLCache {
    URLCache(memoryCapacity: 1_000_000, diskCapacity: 10_000_000, directory: folder.url)
  }

  private enum Trust { case system, own, others, own2 }

  private func session(
    _ cache: URLCache, _ trust: Trust = .system, _ delegate: (any URLSessionDelegate)? = nil,
    strictly: Bool = false
  ) throws -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = cache
    configuration.evaluatesOwnAnchorsStrictly = strictly
    let own = try #require(SecCertificate(pem: authority.certificate))
    let other = try #require(SecCertificate(pem: try OriginAuthority().certificate))
    switch trust {
    case .system: break
    case .own: configuration.trustAnchors = .certificates([own])
    case .others: configuration.trustAnchors = .certificates([other])
    case .own2: configuration.trustAnchors = .certificates([other, own])
    }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  private func load(_ path: String, _ session: URLSession) async throws -> Data {
    try await session.data(from: try #require(URL(string: origin.baseURL + path))).0
  }

  /// Lets every server in, or leaves it to the session's anchors.
  private final class Doorkeeper: URLSessionDelegate {
    let accepts: Bool
    init(accepts: Bool) { self.accepts = accepts }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard accepts, let trust = challenge.protectionSpace.serverTrust else {
        return completionHandler(.performDefaultHandling, nil)
      }
      completionHandler(.useCredential, URLCredential(trust: trust))
    }
  }

  @Test(arguments: ["/small", "/large"]) func whoLetsEverybodyInPoisonsNobody(path: String) async throws {
    let cache = cache()
    let lax = try session(cache, .system, Doorkeeper(accepts: true))
    let body = try await load(path, lax)
    let again = try await load(path, lax)
    #expect(again == body && origin.requests.count == (path == "/small" ? 1 : 2))
    let count = origin.requests.count
    for strict in [
      try session(cache), try session(cache, .others),
      try session(cache, .system, Doorkeeper(accepts: false)),
    ] {
      let error = await #expect(throws: URLError.self) { try await load(path, strict) }
      #expect(error?.code == .serverCertificateHasUnknownRoot)
    }
    // Nor one that lets everybody in itself, but might not have let in this one.
    _ = try await load(path, try session(cache, .system, Doorkeeper(accepts: true)))
    #expect(origin.requests.count == count + 1)
    // Nobody knows after a restart who has let it in.
    #expect(folder.files.isEmpty)
  }

  /// Those that have the same anchors share what they have, also over a restart, and whoever lets in whom the anchors would have let in.
  @Test(arguments: ["/small", "/large"]) func theSameAnchorsShare(path: String) async throws {
    let cache = cache()
    let body = try await load(path, try session(cache, .own, Doorkeeper(accepts: true)))
    await Eventually.expect("It is kept.") { [folder] in
      folder.files.contains { !$0.hasPrefix(StoreDirectory.temporaryPrefix) && !$0.contains(".") }
    }
    for session in [
      try session(cache, .own), try session(self.cache(), .own),
      try session(cache, .own, Doorkeeper(accepts: false)),
    ] {
      #expect(try await load(path, session) == body)
    }
    #expect(origin.requests.count == 1)
    for session in [try session(cache, .own2), try session(cache, .own, strictly: true)] {
      _ = try? await load(path, session)
    }
    await #expect(throws: URLError.self) { try await load(path, try session(cache)) }
    await #expect(throws: URLError.self) { try await load(path, try session(cache, .others)) }
    #expect(origin.requests.count >= 2)
  }

  /// A 304 of a server that was let in says nothing to others.
  @Test func aConfirmationByAStrangerFreshensNothing() async throws {
    let stranger = try Origin.start(security: .tls)
    stranger.script("/small", .response(status: 304, fields: [("ETag", "\"a\""), ("X", "strange")]))
    let cache = cache()
    let body = try await load("/small", try session(cache, .own))
    let configuration = try session(cache, .own).configuration
    configuration.connectionEndpoint = .init(host: "127.0.0.1", port: Int(stranger.port))
    configuration.requestCachePolicy = .reloadRevalidatingCacheData
    let lax = URLSession(
      configuration: configuration, delegate: Doorkeeper(accepts: true), delegateQueue: nil)
    #expect(try await load("/small", lax) == body)
    #expect(stranger.requests.count == 1)
    let url = try #require(URL(string: origin.baseURL + "/small"))
    let (again, response) = try await session(cache, .own).data(from: url)
    #expect(again == body && (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X") == nil)
  }

  /// What a task's own delegate has let in is for nobody else, and it is shown nothing that the session's has let in.
  @Test func aTasksOwnDelegateIsAlone() async throws {
    let cache = cache()
    let session = try session(cache, .system, Doorkeeper(accepts: false))
    let url = try #require(URL(string: origin.baseURL + "/small"))
    for _ in 0..<2 { _ = try await session.data(from: url, delegate: TaskDoorkeeper()) }
    #expect(origin.requests.count == 2)
    await #expect(throws: URLError.self) { try await session.data(from: url) }
    let lax = try self.session(cache, .system, Doorkeeper(accepts: true))
    _ = try await lax.data(from: url)
    _ = try await lax.data(from: url, delegate: TaskDoorkeeper())
    #expect(origin.requests.count == 4)
  }

  private final class TaskDoorkeeper: URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      completionHandler(
        .useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
    }
  }

  /// Without TLS there is nobody to be trusted.
  @Test func inTheClearAllShare() async throws {
    let plain = try Origin.start()
    plain.script("/a", .response(fields: [("Cache-Control", "max-age=600")], body: "one".utf8))
    let url = try #require(URL(string: plain.baseURL + "/a"))
    let cache = cache()
    for session in [
      try session(cache), try session(cache, .own), try session(cache, .system, Doorkeeper(accepts: true)),
    ] {
      #expect(try await session.data(from: url).0 == Data("one".utf8))
    }
    #expect(plain.requests.count == 1)
  }
}
