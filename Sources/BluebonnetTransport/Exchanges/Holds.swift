// SPDX-License-Identifier: MIT

/// Why a response's body is held back.
///
/// Each reason stands for itself: releasing one leaves the others in force.
package struct Holds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The caller has suspended the task. This one holds the request's body back, too.
  package static let caller = Holds(rawValue: 1 << 0)
  /// A question about the response is open.
  package static let decision = Holds(rawValue: 1 << 1)
  /// More was handed to a queue or a disk than has been taken there.
  package static let backlog = Holds(rawValue: 1 << 2)
  /// A reader of the stream has more in hand than it works off.
  package static let slowReader = Holds(rawValue: 1 << 3)
  /// The server's certificate awaits its evaluation.
  package static let trust = Holds(rawValue: 1 << 4)
  /// So much of it came out of a few coded bytes that it is others' turn.
  package static let turn = Holds(rawValue: 1 << 5)
  /// A store takes what it is to keep more slowly than it comes.
  package static let store = Holds(rawValue: 1 << 6)

  package static let all: Holds = [.caller, .decision, .backlog, .slowReader, .trust, .turn, .store]
}

/// Whether a response's body flows: read interest and the time budget follow from it.
///
///     flowing ──hold──▶ held ──release of the last reason──▶ resuming ──resume──▶ flowing
///                        ▲                                       │
///                        └────────────────hold───────────────────┘
///
/// A value. Resuming is a state of its own because a release may come from inside a read: the bytes held back come before
/// anything that is still in the socket, so until `resume`, called outside any read, the body counts as held.
package struct BodyFlow: Sendable {
  package private(set) var holds: Holds = []
  private var isResuming = false

  package init() {}

  /// Nothing is read for it, nothing is delivered, and silence is not the peer's.
  package var isHeld: Bool { isResuming || !holds.isEmpty }

  /// - Returns: whether the body flowed until now.
  package mutating func hold(_ reasons: Holds) -> Bool {
    guard !reasons.isEmpty else { return false }
    let flowed = !isHeld
    holds.formUnion(reasons)
    isResuming = false
    return flowed
  }

  /// - Returns: whether this was the last reason: then `resume` is to be called, outside any read.
  package mutating func release(_ reasons: Holds) -> Bool {
    guard !holds.isEmpty else { return false }
    holds.subtract(reasons)
    isResuming = holds.isEmpty
    return isResuming
  }

  /// - Returns: whether the body flows from here on; false if it was held again meanwhile, or flows already.
  package mutating func resume() -> Bool {
    defer { isResuming = false }
    return isResuming
  }
}
