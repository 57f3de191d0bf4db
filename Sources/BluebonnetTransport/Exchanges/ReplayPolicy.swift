// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Whether a failed exchange may be sent once more (RFC 9112 §9.3.1, §9.5; RFC 9110 §9.2.2).
package enum ReplayPolicy {
  package struct Situation: Sendable, Equatable {
    /// The connection had served an earlier exchange, so it may have gone stale unnoticed.
    package var reusedConnection: Bool
    package var anyResponseByte: Bool
    package var anyRequestByteSent: Bool
    package var isIdempotent: Bool
    package var bodyIsReplayable: Bool
    package var alreadyReplayed: Bool

    package init(
      reusedConnection: Bool, anyResponseByte: Bool, anyRequestByteSent: Bool, isIdempotent: Bool,
      bodyIsReplayable: Bool, alreadyReplayed: Bool
    ) {
      self.reusedConnection = reusedConnection
      self.anyResponseByte = anyResponseByte
      self.anyRequestByteSent = anyRequestByteSent
      self.isIdempotent = isIdempotent
      self.bodyIsReplayable = bodyIsReplayable
      self.alreadyReplayed = alreadyReplayed
    }
  }

  package static func allowsReplay(_ situation: Situation) -> Bool {
    situation.reusedConnection && !situation.anyResponseByte && !situation.alreadyReplayed
      && situation.bodyIsReplayable
      && (situation.isIdempotent || !situation.anyRequestByteSent)
  }
}

extension ReplayPolicy.Situation {
  /// - Parameter http: The exchange that has failed.
  init(_ request: ExchangeRequest, over http: borrowing HTTP1Exchange, reused: Bool, replayed: Bool) {
    self.init(
      reusedConnection: reused, anyResponseByte: http.hasReceivedAny, anyRequestByteSent: http.hasSentAny,
      isIdempotent: request.isIdempotent || request.answersChallenge,
      bodyIsReplayable: request.body.isReplayable, alreadyReplayed: replayed)
  }
}
