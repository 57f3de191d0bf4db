// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetSemantics

extension RetryPolicy {
  /// The pauses of a ``RetryPolicy`` between attempts, beyond its exponential backoff.
  public struct Pauses: Sendable, Hashable {
    /// The longest `Retry-After` that is waited out, in seconds; 60 by default.
    ///
    /// A response that the policy would retry, and that has the field (seconds or a date), is followed by a pause of at
    /// least that length. If the server wants to be left alone for longer than this, the request is not retried. `nil`
    /// leaves the field unread, as Alamofire does.
    public var retryAfterLimit: TimeInterval?

    /// Whether each pause is a random part of what the backoff says, from none to all of it; false by default.
    ///
    /// Clients that a server has turned away together then do not come back together. A pause that the server asks for is
    /// not shortened: the random part comes after it.
    public var hasFullJitter: Bool

    /// The seconds after the beginning of the first attempt within which another one may begin; `nil`, the default, for no limit.
    ///
    /// A pause that would end later is not begun. The attempt that is under way goes on; ``Request/deadline(after:)``
    /// ends that, too.
    public var deadline: TimeInterval?

    /// Pauses with these numbers; see the properties for what each means.
    public init(
      retryAfterLimit: TimeInterval? = 60, hasFullJitter: Bool = false, deadline: TimeInterval? = nil
    ) {
      self.retryAfterLimit = retryAfterLimit
      self.hasFullJitter = hasFullJitter
      self.deadline = deadline
    }

    /// The pause before the next attempt; nil for not making one.
    ///
    /// - Parameters:
    ///   - backoff:    The backoff's pause, in seconds.
    ///   - retryAfter: The server's pause, in seconds, if it names one.
    ///   - elapsed:    Seconds since the first attempt has begun.
    ///   - chance:     From 0 to 1.
    func pause(backoff: TimeInterval, retryAfter: TimeInterval?, elapsed: TimeInterval, chance: Double)
      -> TimeInterval?
    {
      var pause = hasFullJitter ? backoff * chance : backoff
      if let retryAfterLimit, let retryAfter {
        guard retryAfter <= retryAfterLimit else { return nil }
        pause = hasFullJitter ? retryAfter + pause : max(retryAfter, pause)
      }
      if let deadline, elapsed + pause >= deadline { return nil }
      return pause
    }
  }
}

extension HTTPURLResponse {
  /// The pause, in seconds from 0, that the server asks for before another request (`Retry-After`, RFC 9110 §10.2.3); nil if it asks
  /// for none, or by neither a number nor a date. An addition of this package.
  ///
  /// A date counts from the response's own `Date`, if it has one: the server's clock may be wrong.
  ///
  /// - Parameter now: The present, for a response without `Date`.
  public func retryAfter(now: Date = Date()) -> TimeInterval? {
    let seconds = now.timeIntervalSince1970.rounded(.down)
    // Of a moment that no calendar has, the side is enough.
    let now = Int(exactly: seconds) ?? (seconds < 0 ? .min : .max)
    guard let field = value(forHTTPHeaderField: "Retry-After"), let wish = RetryAfter(field, now: now) else {
      return nil
    }
    let sent = value(forHTTPHeaderField: "Date").flatMap { HTTPDate.parse($0, now: now) }
    return TimeInterval(wish.delay(sent: sent, now: now))
  }
}

extension Request {
  /// Seconds since the first attempt has begun.
  var secondsSinceFirstAttempt: TimeInterval {
    guard let first = firstMetrics else { return 0 }
    return first.seconds(until: context.loop.instant)
  }
}
