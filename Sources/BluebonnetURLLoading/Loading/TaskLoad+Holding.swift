import BluebonnetTransport

// Why the body is held back: one answer for the exchanges of a load and for the classes that load in their place.
extension TaskLoad {
  var isSuspended: Bool { holds.contains(.caller) }

  /// Whether what comes in may be handed over now.
  var takesMore: Bool { holds.isEmpty && !isOver }

  func hold(_ reasons: Holds) {
    holds.formUnion(reasons)
    exchange?.hold(reasons)
  }

  /// Lets the body flow if nothing else holds it back.
  func release(_ reasons: Holds) {
    holds.subtract(reasons)
    exchange?.release(reasons)
    if holds.isEmpty { detour?.protocolLoad?.drain() }
  }

  /// A question has been answered. What the answer has led to may have been the next question.
  func releaseDecision() {
    if case .deciding = phase { return }
    release(.decision)
  }

  /// A reader has more in hand than it works off, or has caught up.
  func readerChanged(isSlow: Bool) {
    if isSlow { hold(.slowReader) } else { release(.slowReader) }
  }
}
