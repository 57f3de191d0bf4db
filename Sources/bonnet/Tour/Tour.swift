// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin

/// The tour, `bonnet --tour`: shows the library's features, against origins inside the process, and
/// checks that it was done as promised.
struct Tour {
  let plain: Origin
  let secure: Origin

  static func take() async -> ExitStatus {
    do {
      let tour = Tour(plain: try Origin.start(), secure: try Origin.start(security: .tls))
      defer {
        tour.plain.stop()
        tour.secure.stop()
      }
      print("Origins at \(tour.plain.baseURL) and \(tour.secure.baseURL)\n")
      return await tour.visit(tour.stops)
    } catch {
      Terminal.say("bonnet: \(error)\n")
      return .refused
    }
  }

  /// Where to go on, with paths in the package.
  static let next = """
    The code of these requests is in Sources/bonnet/Tour.
    Read next: README.md, then Sources/Bluebonnet/Bluebonnet.docc/Usage.md.
    Try next: swift run bonnet -v https://example.org/, swift run bonnet --help
    """

  var stops: [TourStop] { requests + security + limits }

  private func visit(_ stops: [TourStop]) async -> ExitStatus {
    var broken = 0
    for stop in stops {
      let report = await stop.visit()
      print(report.line)
      if !report.isKept { broken += 1 }
    }
    print(broken == 0 ? "\nEverything as promised." : "\n\(broken) of \(stops.count) not as promised.")
    print("\n" + Self.next)
    return broken == 0 ? .success : .receiveFailed
  }
}

extension Tour {
  /// Requests that end before their response does.
  var limits: [TourStop] {
    [
      TourStop(title: "a time-out") {
        // Without its limit it would succeed, late: no clock need be read here, however slow the machine is.
        let request = AF.request(plain.baseURL + "/delay/10") { $0.timeoutInterval = 0.25 }
        let error = await request.serializingData().response.error?.underlyingError as? URLError
        try promise(error?.code == .timedOut, "it ended with \(error.map { "\($0)" } ?? "something else")")
        return "after a quarter of a second"
      },
      TourStop(title: "a cancellation") {
        let seen = plain.requests.count
        let request = AF.request(plain.baseURL + "/delay/10")
        let response = request.serializingData()
        try await until("the request arrives") { plain.requests.count > seen }
        request.cancel()
        let error = await response.response.error
        try promise(
          error?.isExplicitlyCancelledError == true, "it ended with \(error.map { "\($0)" } ?? "success")")
        try await until("its connection is closed") { plain.openConnections <= 1 }
        return "at once, its connection closed"
      },
    ]
  }

  /// Looks every few milliseconds, for half a minute at most: the machine may have other things to do.
  private func until(_ what: String, _ isSo: () -> Bool) async throws {
    for _ in 0..<6_000 {
      if isSo() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BrokenPromise("it never came to this: \(what)")
  }

  /// TLS with the server's certificate pinned.
  var security: [TourStop] {
    [
      TourStop(title: "TLS, the right certificate") {
        let session = try session(pinning: secure.certificateChain)
        let echo = try await echo(session.request(secure.baseURL + "/get"))
        return "\(echo.url.hasPrefix("https:") ? "https" : "http"), pinned and trusted"
      },
      TourStop(title: "TLS, the wrong certificate") {
        let session = try session(pinning: OriginAuthority().certificate)
        let before = secure.requests.count
        let response = await session.request(secure.baseURL + "/get").serializingData().response
        guard case .serverTrustEvaluationFailed? = response.error else {
          throw BrokenPromise("it ended with \(response.error.map { "\($0)" } ?? "success")")
        }
        try promise(secure.requests.count == before, "the request was sent all the same")
        return "refused, nothing was sent"
      },
    ]
  }

  /// A session that trusts the origin's authority and accepts only that one certificate.
  private func session(pinning text: String?) throws -> Session {
    guard let authority = secure.authority.flatMap({ SecCertificate(pem: $0) }),
      let pin = text.flatMap({ SecCertificate(pem: $0) })
    else { throw BrokenPromise("the origin's certificates cannot be read") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([authority])
    let evaluator = PinnedCertificatesTrustEvaluator(certificates: [pin])
    return Session(
      configuration: configuration,
      serverTrustManager: ServerTrustManager(evaluators: ["localhost": evaluator]))
  }
}
