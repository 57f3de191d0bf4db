// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

/// A named thread of our own that takes no signals.
package struct SystemThread {
  private let handle: pthread_t

  /// Starts a thread that runs `body` to its end.
  package static func start(
    name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> SystemThread {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var handle = pthread_t()
    let failure = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        start.run()
        return nil
      }, start.toOpaque())
    guard failure == 0 else {
      start.release()
      throw SystemError(errno: failure, call: "pthread_create")
    }
    return SystemThread(handle: handle)
  }

  /// A number that differs between any two threads that live at the same time; never zero.
  @inline(__always)
  static var current: UInt { UInt(pthread_self()) }

  /// Waits for the thread's end. Each thread is either joined or detached, once.
  func join() {
    pthread_join(handle, nil)
  }

  /// Lets it end by itself.
  package func detach() {
    pthread_detach(handle)
  }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      // Signals belong to the program's own threads.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      // The kernel keeps 15 bytes of a name.
      _ = pthread_setname_np(pthread_self(), String(decoding: name.utf8.prefix(15), as: UTF8.self))
      body()
    }
  }
}
