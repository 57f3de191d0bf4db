// SPDX-License-Identifier: MIT
#if Metrics
  import BluebonnetMetrics

  extension MetricsMonitor {
    /// Waits until all events that were sent so far are counted.
    func heardAll() async {
      await withCheckedContinuation { heard in queue.async { heard.resume() } }
    }
  }
#endif
