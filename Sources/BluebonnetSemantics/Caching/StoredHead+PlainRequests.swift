// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

// A plain request is a GET that asks for nothing in particular: it names no directives, conditions and ranges, and its caller leaves
// all to the rules. Almost every request is one, and what answers it can be known before it comes.
extension StoredHead {
  /// The span in which it is fresh, in seconds since 1970, and answers every plain request that it is selected by. Empty if the
  /// server has to be asked, or the rules decide.
  package var plainSpan: Range<Double> {
    let start = responseTime - Freshness.clockTolerance
    let end = responseTime + (Double(freshness.lifetime) - freshness.initialAge)
    // A cookie is known only once the request has been made.
    guard status == 200, part == nil, !directives.options.contains(.noCache), end > responseTime,
      !selection.fields.contains(where: { $0.name == "cookie" })
    else { return 0..<0 }
    return start..<end
  }

  /// The parts of its head that depend on the moment, within ``plainSpan``, in whole seconds.
  package func plainAge(at now: Double) -> PlainAge {
    PlainAge(
      age: max(0, Freshness.whole(freshness.age(at: now))),
      timeToLive: Freshness.whole(freshness.remainder(at: now)))
  }

  /// The fields with which it answers a plain request.
  package func plainlyServed(_ age: PlainAge) -> FieldBlock {
    servedFields(.hit(timeToLive: age.timeToLive), age: age.age)
  }

  /// The parts of a served response that change, once a second or so.
  package struct PlainAge: Sendable, Hashable {
    let age: Int
    let timeToLive: Int
  }
}

extension HeaderFields {
  /// Whether a GET with these fields asks a cache for nothing in particular.
  package var arePlain: Bool {
    [
      "Cache-Control", "Pragma", "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
      "If-Unmodified-Since",
    ]
    .allSatisfy { index(of: $0) == nil }
  }
}
