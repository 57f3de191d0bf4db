// SPDX-License-Identifier: MIT
import BluebonnetTLS

/// The servers known to ask for a certificate: a request to one of them decides about its identity before it looks for a
/// connection, since there may be one with that identity.
///
/// A forgotten server asks again, over a new connection, and so does one that asks otherwise than before.
struct CertificateRequests {
  private struct Entry {
    let request: CertificateRequest
    /// The evaluator that had accepted the server when it asked.
    let evaluator: EvaluatorReference
    let age: UInt64
  }

  /// The number of servers, the same as that of kept sessions.
  static let limit = 256

  private var entries: [Route: Entry] = [:]
  private var count: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  /// - Parameter route: The route without an identity.
  mutating func note(_ request: CertificateRequest, of route: Route, letInBy evaluator: AnyObject?) {
    count += 1
    entries[route] = Entry(request: request, evaluator: EvaluatorReference(by: evaluator), age: count)
    guard entries.count > Self.limit, let oldest = entries.min(by: { $0.value.age < $1.value.age }) else {
      return
    }
    entries[oldest.key] = nil
  }

  /// The server's request, unless this evaluator has not accepted the server: it evaluates its trust first.
  func request(of route: Route, for evaluator: AnyObject?) -> CertificateRequest? {
    guard let entry = entries[route], entry.evaluator.isBy(evaluator) else { return nil }
    return entry.request
  }

  /// Whether this is the server's last request, accepted by any evaluator.
  func contains(_ request: CertificateRequest, of route: Route) -> Bool { entries[route]?.request == request }

  mutating func removeAll() { entries = [:] }
}
