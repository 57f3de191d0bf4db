// SPDX-License-Identifier: MIT
#if Logging
  import BluebonnetLogging
  import InMemoryLogging
  import Logging

  extension InMemoryLogHandler {
    /// A handler of lines of all levels.
    static func all() -> InMemoryLogHandler {
      var handler = InMemoryLogHandler()
      handler.logLevel = .trace
      return handler
    }
  }

  extension InMemoryLogHandler.Entry {
    func number(_ key: String) -> Double? { metadata[key].flatMap { Double("\($0)") } }
  }

  extension Logger {
    init(label: String, _ handler: InMemoryLogHandler) {
      self.init(label: label) { _ in handler }
    }
  }

  extension LoggingMonitor {
    /// Waits until all events that were sent so far are written.
    func heardAll() async {
      await withCheckedContinuation { heard in queue.async { heard.resume() } }
    }
  }
#endif
