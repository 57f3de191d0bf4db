import BluebonnetTLS

/// Which servers are known to ask for a certificate: whoever has a request for one of them says as whom it goes before a
/// connection is looked for, since there may be one that stands for them.
///
/// What is forgotten is asked again, over a new connection, and so is what a server asks otherwise than before.
struct CertificateRequests {
  private struct Entry {
    let request: CertificateRequest
    /// By whom the server had been let in when it asked.
    let evaluator: EvaluatorReference
    let age: UInt64
  }

  /// As many as there are servers whose sessions are kept.
  static let limit = 256

  private var entries: [Route: Entry] = [:]
  private var count: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  /// - Parameter route: As it is before anything is known of who asks.
  mutating func note(_ request: CertificateRequest, of route: Route, letInBy evaluator: AnyObject?) {
    count += 1
    entries[route] = Entry(request: request, evaluator: EvaluatorReference(by: evaluator), age: count)
    guard entries.count > Self.limit, let oldest = entries.min(by: { $0.value.age < $1.value.age }) else {
      return
    }
    entries[oldest.key] = nil
  }

  /// What the server asks, unless this evaluator has not let it in: it is asked about the server first.
  func request(of route: Route, for evaluator: AnyObject?) -> CertificateRequest? {
    guard let entry = entries[route], entry.evaluator.isBy(evaluator) else { return nil }
    return entry.request
  }

  /// Whether this is what the server has asked the last time, whoever has let it in.
  func contains(_ request: CertificateRequest, of route: Route) -> Bool { entries[route]?.request == request }

  mutating func removeAll() { entries = [:] }
}
