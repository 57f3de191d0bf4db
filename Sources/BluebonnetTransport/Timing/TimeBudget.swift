// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The deadline an exchange is under, and the phase a time-out will name.
///
/// A value without a clock: time comes in as an argument.
///
///     begin(phase) ──▶ deadline = now + limit(phase) ──progress()──▶ moved ──▶ expired(now)?
package struct TimeBudget: Sendable {
  package let timeouts: Timeouts
  package private(set) var phase: TransportError.Phase = .waitingForConnection
  /// nil while the current phase has no limit.
  package private(set) var deadline: MonotonicTime?
  /// The application holds the response back, so what the peer does is not looked at.
  private var isHeld = false

  package init(_ timeouts: Timeouts) {
    self.timeouts = timeouts
  }

  package mutating func begin(_ phase: TransportError.Phase, at now: MonotonicTime) {
    self.phase = phase
    progress(at: now)
  }

  /// Enters the next phase by an event that was progress in the one before.
  package mutating func enter(_ phase: TransportError.Phase) {
    self.phase = phase
  }

  /// Something moved: the silence limit starts anew.
  package mutating func progress(at now: MonotonicTime) {
    deadline =
      isHeld && isHoldable ? nil : limit.map { MonotonicTime(nanoseconds: now.nanoseconds &+ $0) }
  }

  /// Nothing is waited for that could be late, until the next phase begins.
  package mutating func pause() {
    deadline = nil
  }

  /// While the application holds the response back, silence is its own doing, from the request on and before there is a
  /// connection. One that is being made can be late anyway.
  package mutating func hold() {
    isHeld = true
    if isHoldable { deadline = nil }
  }

  /// The response may flow again.
  package mutating func release(at now: MonotonicTime) {
    isHeld = false
    if isHoldable { progress(at: now) }
  }

  private var isHoldable: Bool {
    switch phase {
    case .resolving, .connecting, .tunnelling, .securing, .evaluatingTrust: false
    default: true
    }
  }

  package func isExpired(at now: MonotonicTime) -> Bool {
    guard let deadline else { return false }
    return deadline <= now
  }

  private var limit: UInt64? { timeouts.limit(of: phase) }
}

extension Timeouts {
  /// The time that a phase may take, in nanoseconds; nil for no limit.
  package func limit(of phase: TransportError.Phase) -> UInt64? {
    switch phase {
    case .waitingForConnection: waiting
    case .resolving, .connecting: connect
    case .tunnelling, .securing: handshake
    case .evaluatingTrust: trustEvaluation
    case .sending: sending
    case .waiting: firstByte
    case .receivingHead, .receivingBody: betweenBytes
    // Not phases of an exchange.
    case .preparing, .waitingForTurn, .exchangingMessages, .decoding, .redirecting, .storing, .cancelling: nil
    }
  }
}
