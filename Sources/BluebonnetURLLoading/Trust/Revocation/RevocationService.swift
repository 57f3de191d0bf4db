// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// One thing to fetch about revocation, over plain HTTP.
struct RevocationErrand: Sendable, Hashable {
  let address: String
  /// The body to post; nil for a GET.
  let body: [UInt8]?
  /// Whether it may lead into private networks.
  let mayStayPrivate: Bool
}

/// The way to responders and distribution points.
protocol RevocationFetcher: Sendable {
  /// Blocks until the answer is there.
  ///
  /// - Parameter end: When it is given up, at the latest.
  func fetch(_ errand: RevocationErrand, until end: DispatchTime) throws(RevocationFault) -> [UInt8]
}

/// Asks about revocation and keeps the answers, so that nothing is asked twice while an answer holds.
package final class RevocationService: Sendable {
  /// The scope of an answer. A question kept out of private networks neither waits for one that is not, nor takes its answer.
  private struct Place: Hashable, Sendable {
    let address: String
    let mayStayPrivate: Bool
  }

  /// A certificate and its issuer, by their SHA-256, and the source of the answer.
  private struct Subject: Hashable, Sendable {
    let certificate: [UInt8]
    let issuer: [UInt8]
    let place: Place
  }

  private struct Location: Hashable, Sendable {
    let issuer: [UInt8]
    let place: Place
  }

  private let answers = SharedAnswers<Subject, RevocationAnswer>(limit: 1_000)
  /// Lists take up to a few megabytes each once they are read.
  private let lists = SharedAnswers<Location, RevocationList>(limit: 16)

  private let fetcher: any RevocationFetcher

  /// - Parameter fetcher: Fetches the answers.
  init(_ fetcher: any RevocationFetcher) {
    self.fetcher = fetcher
  }

  /// One that knows nothing yet.
  func withoutAnswers() -> RevocationService { RevocationService(fetcher) }

  /// The limits on the work for an answer.
  struct Permission {
    var mayFetch: Bool
    var mayStayPrivate: Bool
    /// The time when a fetch is given up.
    var end: DispatchTime
  }

  /// A responder's answer about a certificate.
  func answer(
    of responder: String, about certificate: Certificate, issuer: Certificate, at now: Int64,
    _ permission: Permission
  ) throws(RevocationFault) -> RevocationAnswer {
    let key = Subject(
      certificate: certificate.sha256, issuer: issuer.sha256,
      place: Place(address: responder, mayStayPrivate: permission.mayStayPrivate))
    guard permission.mayFetch else {
      guard let known = answers.known(key, at: now) else { throw .missing }
      return known
    }
    return try answers.value(for: key, at: now, until: permission.end) {
      [fetcher] () throws(RevocationFault) in
      let question = OCSPQuestion(about: certificate, issuer: issuer, nonce: OCSPQuestion.freshNonce())
      guard let request = question.request else { throw .malformed }
      let errand = RevocationErrand(
        address: responder, body: request, mayStayPrivate: permission.mayStayPrivate)
      let answer = try question.answer(in: fetcher.fetch(errand, until: permission.end), at: now)
      // A responder that does not know a certificate yet may know it soon.
      if case .unknown = answer.status { return (answer, nil) }
      return (answer, answer.validUntil)
    }
  }

  /// The answer of a distribution point's list about a certificate.
  func answer(
    ofListAt address: String, about certificate: Certificate, issuer: Certificate, at now: Int64,
    _ permission: Permission
  ) throws(RevocationFault) -> RevocationAnswer {
    let key = Location(
      issuer: issuer.sha256, place: Place(address: address, mayStayPrivate: permission.mayStayPrivate))
    let list: RevocationList
    if permission.mayFetch {
      list = try lists.value(for: key, at: now, until: permission.end) {
        [fetcher] () throws(RevocationFault) in
        let errand = RevocationErrand(
          address: address, body: nil, mayStayPrivate: permission.mayStayPrivate)
        let list = try RevocationList(fetcher.fetch(errand, until: permission.end))
        // Only an answer that holds for its question is kept: else an attacker on the way could fill the cache.
        let answer = try list.answer(about: certificate, issuer: issuer, at: now)
        return (list, answer.validUntil)
      }
    } else {
      guard let known = lists.known(key, at: now) else { throw .missing }
      list = known
    }
    return try list.answer(about: certificate, issuer: issuer, at: now)
  }
}
