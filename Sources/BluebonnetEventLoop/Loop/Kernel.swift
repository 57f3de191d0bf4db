// SPDX-License-Identifier: MIT

/// The loop's two descriptors of its own.
struct Kernel: ~Copyable {
  let poller: FileDescriptor
  /// Written to wake the loop's thread. It is watched edge-triggered and never read: each write is an edge of its own.
  let wakeUp: FileDescriptor

  init() throws(SystemError) {
    let poller = try Syscall.epollCreate()
    let wakeUp = try Syscall.eventDescriptor()
    // Generation 0 is never given to anyone, so the loop drops these events as it drops stale ones.
    let registration = Registration(descriptor: wakeUp.rawValue, generation: 0)
    try Syscall.epollAdd(
      poller.rawValue, wakeUp.rawValue, events: Readiness.wakeUpEpollEvent, userData: registration.userData)
    self.poller = poller
    self.wakeUp = wakeUp
  }
}
