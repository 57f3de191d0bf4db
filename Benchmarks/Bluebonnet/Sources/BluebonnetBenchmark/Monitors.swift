// SPDX-License-Identifier: MIT
import Bluebonnet
import Logging

/// Hears that each request has finished.
final class FinishMonitor: EventMonitor {
  let queue = DispatchQueue(label: "benchmark.events")

  func requestDidFinish(_ request: Request) {}
}

/// Drops all lines, after they have been made.
struct DroppingHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {}
}
