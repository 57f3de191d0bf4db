// SPDX-License-Identifier: MIT

// Functions for loop context only.
extension EventLoop {
  /// The time at which this stay in loop context began, or a little later: read once per stay.
  package var now: MonotonicTime {
    assert(isHeld)
    if let known = held.turnTime { return known }
    let moment = instant
    held.turnTime = moment
    return moment
  }

  /// Runs `action` in loop context once `deadline` has come, at most a millisecond late if the loop is idle.
  package func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
    assert(isHeld)
    return held.timers.schedule(at: deadline, TimerAction(run: action))
  }

  /// Takes back a timer. Nothing happens if it has fired or was cancelled before.
  package func cancel(_ token: TimerToken) {
    assert(isHeld)
    held.timers.cancel(token)
  }

  /// Watches the descriptor in both directions until `deregister`. The handler is told each change once
  /// (edge-triggered), the state at this moment included, and is kept alive meanwhile.
  package func register(_ descriptor: Int32, handler: any ReadinessHandler) throws(SystemError)
    -> Registration
  {
    assert(isHeld)
    guard let poller = kernel?.poller.rawValue else {
      throw startFailure ?? SystemError(closedLoop: "epoll_ctl")
    }
    let registration = held.registrations.insert(handler, for: descriptor)
    do throws(SystemError) {
      try Syscall.epollAdd(
        poller, descriptor, events: Readiness.everyEpollEvent, userData: registration.userData)
    } catch {
      held.registrations.remove(registration)
      throw error
    }
    return registration
  }

  /// Ends the watch, before the descriptor is closed. The handler hears nothing from here on.
  package func deregister(_ registration: Registration) {
    assert(isHeld)
    guard held.registrations.remove(registration), let poller = kernel?.poller.rawValue else { return }
    // Fails only for a descriptor that was closed before, which ended the watch, too.
    try? Syscall.epollDelete(poller, registration.descriptor)
  }

  /// Lends the loop's receive buffer. Its contents are lost when `body` returns; it is not for nested use.
  package func withReceiveBuffer<R: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    assert(isHeld)
    let buffer = held.receiveBuffer.lend()
    defer { held.receiveBuffer.giveBack(buffer) }
    return try body(buffer)
  }

  /// Inside `withReceiveBuffer`: lets the caller keep the buffer for the sake of `bytes` in it, instead of copying
  /// them. Nil if they are somewhere else, or too few to be worth it.
  package func retainReceiveBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? {
    assert(isHeld)
    return held.receiveBuffer.keep(bytes)
  }
}
