// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetLocks

/// Serves plantings on an origin, and remembers on which connections their requests came.
final class Witness: Sendable {
  private struct Sighting {
    var first: Int?
    var second: Int?
  }

  private let sightings: Locked<[Sighting]>

  /// `/first?N` is answered by the Nth of the replies, `/second?N` by its own target.
  init(_ origin: Origin, replies: [ScriptedReply]) {
    sightings = Locked(Array(repeating: Sighting(), count: replies.count))
    origin.handle("/first") { [self] request in
      let number = Self.number(in: request.target)
      sightings.withLock { $0[number].first = request.connection }
      return replies[number]
    }
    origin.handle("/second") { [self] request in
      sightings.withLock { $0[Self.number(in: request.target)].second = request.connection }
      return .response(body: request.target.utf8)
    }
  }

  /// The connection on which the Nth first request came.
  func connection(ofFirst number: Int) -> Int? { sightings.withLock { $0[number].first } }

  /// Whether both of the Nth requests came, and on one connection.
  func wasReused(_ number: Int) -> Bool {
    sightings.withLock { $0[number].first != nil && $0[number].first == $0[number].second }
  }

  private static func number(in target: String) -> Int {
    target.split(separator: "?").last.flatMap { Int($0) } ?? 0
  }
}
