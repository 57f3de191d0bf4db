// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestClock
import Testing

/// The cases of `Fixtures/cache`, through a session and over real sockets. Their pauses are the clock's.
@Suite struct CacheVectorsTests {
  /// Cases that are not met, and why.
  private static let departures: [String: String] = [
    "headers-store-Transfer-Encoding":
      """
    RFC 9112 §6.1: the field lists the transfer codings that have been applied to the content to form the message body, and RFC \
    9110 §2.4: a recipient must interpret what it receives by the semantics that are defined for it. Who does not know the coding \
    does not know the content, so there is no response to store; RFC 9110 §10.1.4: a client says in TE which codings it takes, and \
    this one says none. The parser refuses the response before a cache sees it. That the field is not stored (RFC 9111 §3.1) is \
    tested with the rules.
    """,
    "vary-normalise-lang-order":
      "RFC 9110 §12.5.4: the order of languages may be taken for a preference, so another order is another request",
    "vary-normalise-lang-select":
      "RFC 9111 §4.1 wants fields to match; which language a server would choose is its own affair",
  ]

  @Test func theCasesAreMet() async throws {
    let vectors = try CacheVector.all()
    #expect(vectors.count == 206)
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.af.ephemeral
    configuration.urlCache = URLCache(memoryCapacity: 20_000_000, diskCapacity: 0, directory: nil)
    // What is added to each request must not be what a case varies by.
    configuration.httpAdditionalHeaders = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = 64
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    var verdicts: [Int: CacheVectorRun.Verdict] = [:]
    for (index, vector) in vectors.enumerated() {
      verdicts[index] = await CacheVectorRun(vector, origin, session, clock).run()
    }
    var table = "kind      passed  of\n"
    for kind in CacheVector.Kind.allCases {
      let mine = vectors.indices.filter { vectors[$0].kind == kind }
      let passed = mine.count { verdicts[$0] == .passed }
      table += "\(kind.rawValue)".padded(to: 10) + "\(passed)".padded(to: 8) + "\(mine.count)\n"
      for index in mine where verdicts[index] != .passed {
        let (id, verdict) = (vectors[index].id, verdicts[index])
        table += "  \(id): \(verdict.map { "\($0)" } ?? "-") \(Self.departures[id] ?? "")\n"
        if kind != .check { #expect(Self.departures[id] != nil, "\(id): \(String(describing: verdict))") }
      }
      if kind == .required { #expect(passed == 96) }
      if kind == .optimal { #expect(passed >= 62) }
    }
    print(table)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
