// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

/// Anchors of a session, and what its metrics tell of the server.
@Suite struct TrustAnchorsLoadingTests {
  private let origin: Origin
  private let authority: String
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("anchors-\(UUID()).pem")

  init() throws {
    origin = try Origin.start(security: .tls)
    authority = try #require(origin.authority)
  }

  private func session(_ anchors: URLSessionConfiguration.TrustAnchors) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = anchors
    configuration.timeoutIntervalForIdleConnections = 600
    return URLSession(configuration: configuration)
  }

  private func load(_ session: URLSession) async throws -> URLSessionTaskTransactionMetrics {
    let delegate = RecordingDelegate()
    let url = try #require(URL(string: origin.baseURL + "/get"))
    _ = try await session.data(from: url, delegate: delegate)
    return try #require(delegate.record.metrics?.transactionMetrics.last)
  }

  @Test func aFileMayComeLater() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let session = session(.several([.system, .file(path: file.path)]))
    for _ in 0..<2 {
      let error = await #expect(throws: URLError.self) { try await load(session) }
      #expect(error?.code == .secureConnectionFailed)
      #expect(
        error?.transportFailure?.description.contains("\(file.path) cannot be read: No such file") == true)
    }
    try Data(authority.utf8).write(to: file)
    #expect(try await load(session).serverTrustError == nil)
    #expect(origin.requests.count == 1)
    session.invalidateAndCancel()
  }

  @Test func anotherFileIsReadAgain() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(authority.utf8).write(to: file)
    let session = session(.file(path: file.path))
    _ = try await load(session)
    try Data(CertificateAuthority().certificate.pem.utf8).write(to: file, options: .atomic)
    // The open connection stays; the next is judged by what is there within two seconds.
    var outcome = Result<Void, any Error>.success(())
    while case .success = outcome {
      origin.dropConnections()
      do { _ = try await load(session) } catch { outcome = .failure(error) }
    }
    let error = #expect(throws: URLError.self) { try outcome.get() }
    #expect(error?.code == .serverCertificateHasUnknownRoot)
    session.invalidateAndCancel()
  }

  @Test func metricsTellOfTheServer() async throws {
    let anchor = try #require(SecCertificate(pem: authority))
    let own = try #require(SecCertificate(pem: origin.certificateChain ?? ""))
    let session = session(.certificates([anchor]))
    let first = try await load(session)
    #expect(first.serverCertificates == [own, anchor])
    #expect(first.serverTrustError == nil && !first.isTLSSessionResumed)
    #expect(first.negotiatedTLSGroup?.lowercased().contains("25519") == true)
    let again = try await load(session)
    #expect(again.isReusedConnection && again.serverCertificates == [own, anchor])
    origin.dropConnections()
    var resumed = again
    while resumed.isReusedConnection { resumed = try await load(session) }
    #expect(resumed.isTLSSessionResumed && resumed.serverCertificates == [own, anchor])
    session.invalidateAndCancel()
  }

  /// Somebody accepted what the default evaluation would not.
  @Test func metricsTellWhatWasWrong() async throws {
    let delegate = Careless()
    let session = session(.certificates([]))
    _ = try await session.data(from: #require(URL(string: origin.baseURL + "/get")), delegate: delegate)
    let metrics = try #require(delegate.metrics.withLock { $0 }?.transactionMetrics.last)
    #expect(metrics.serverTrustError?.status == errSecNotTrusted)
    #expect(metrics.serverCertificates.count == 1)
    session.invalidateAndCancel()
  }

  /// Lets every server in.
  private final class Careless: URLSessionTaskDelegate {
    let metrics = Locked<URLSessionTaskMetrics?>(nil)

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      completionHandler(.useCredential, challenge.protectionSpace.serverTrust.map(URLCredential.init(trust:)))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      self.metrics.withLock { $0 = metrics }
    }
  }

  @Test func plainConnectionsHaveNone() async throws {
    let origin = try Origin.start()
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .ephemeral)
    _ = try await session.data(from: #require(URL(string: origin.baseURL + "/get")), delegate: delegate)
    let metrics = try #require(delegate.record.metrics?.transactionMetrics.last)
    #expect(metrics.serverCertificates.isEmpty && metrics.serverTrustError == nil)
    #expect(metrics.negotiatedTLSGroup == nil && !metrics.isTLSSessionResumed)
    session.invalidateAndCancel()
  }
}
