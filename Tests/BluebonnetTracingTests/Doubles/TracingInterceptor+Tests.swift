// SPDX-License-Identifier: MIT
#if Tracing
  import BluebonnetTracing
  import InMemoryTracing
  import Tracing

  extension TracingInterceptor {
    /// Waits until all events that were sent so far are heard.
    func heardAll() async {
      await withCheckedContinuation { heard in queue.async { heard.resume() } }
    }
  }

  extension FinishedInMemorySpan {
    func text(_ name: String) -> String? {
      if case .string(let text)? = attributes.get(name) { text } else { nil }
    }

    func number(_ name: String) -> Int64? {
      if case .int64(let number)? = attributes.get(name) { number } else { nil }
    }

    /// All that was recorded.
    var everything: String {
      var parts = [operationName, "\(events)", "\(errors)", "\(links)", status?.message ?? ""]
      attributes.forEach { name, value in parts.append("\(name)=\(value)") }
      return parts.joined(separator: "\n")
    }
  }
#endif
