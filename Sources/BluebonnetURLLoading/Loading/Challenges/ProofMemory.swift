import BluebonnetAuthentication
import BluebonnetLocks

/// What a load, or several that follow one another, know of servers that have asked who is asking, so that they need not ask
/// again: challenges, and how often their nonces were used. See ``RequestWording/proofs``. An addition of this package.
public final class ProofMemory: Sendable {
  private let state = Locked(AuthenticationMemory())

  /// Makes one that knows nothing.
  public init() {}

  func withMemory<Result, Failure: Error>(
    _ body: (inout AuthenticationMemory) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var memory = state.withLock { memory in
      let taken = memory
      memory = AuthenticationMemory()
      return taken
    }
    // One load at a time has it.
    defer { state.withLock { $0 = memory } }
    return try body(&memory)
  }
}
