// SPDX-License-Identifier: MIT
#if Metrics
  /// The dimensions of a metric.
  struct Dimensions: Hashable, Sendable {
    let method: String
    let status: String
    let error: String
    /// nil unless it was asked for.
    let host: String?

    static func statusClass(_ status: Int) -> String {
      (100..<600).contains(status) ? "\(status / 100)xx" : "other"
    }

    var all: [(String, String)] {
      [("method", method), ("status", status), ("error", error)] + (host.map { [("host", $0)] } ?? [])
    }

    var withoutOutcome: [(String, String)] {
      [("method", method)] + (host.map { [("host", $0)] } ?? [])
    }
  }
#endif
