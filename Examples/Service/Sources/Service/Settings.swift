// SPDX-License-Identifier: MIT
import Bluebonnet
import FoundationEssentials

/// The settings of the service, from its environment.
struct Settings: Sendable {
  /// `SERVICE_TARGETS`: the addresses to look at, separated by commas or blanks.
  let targets: [URL]
  /// `SERVICE_INTERVAL`: seconds between two rounds; 30 by default.
  let interval: Duration
  /// `SERVICE_TIMEOUT`: seconds that one address has; 10 by default.
  let timeout: TimeInterval
  /// `SERVICE_GRACE`: seconds that requests have to end after SIGTERM; 5 by default.
  let grace: Duration

  init(_ environment: [String: String]) throws(SettingsError) {
    func seconds(_ name: String, _ standard: Double) throws(SettingsError) -> Double {
      guard let text = environment[name] else { return standard }
      guard let number = Double(text), number > 0, number <= 86_400 else {
        throw SettingsError(description: "\(name) is no number of seconds between 0 and 86400: \(text)")
      }
      return number
    }
    var targets: [URL] = []
    for text in (environment["SERVICE_TARGETS"] ?? "").split(whereSeparator: { ", \n".contains($0) }) {
      guard let url = URL(string: String(text)), ["http", "https"].contains(url.scheme), url.host() != nil
      else {
        throw SettingsError(
          description: "SERVICE_TARGETS has something other than a URL of http or https: \(text)")
      }
      targets.append(url)
    }
    guard !targets.isEmpty else { throw SettingsError(description: "SERVICE_TARGETS names no address") }
    self.targets = targets
    interval = .seconds(try seconds("SERVICE_INTERVAL", 30))
    timeout = try seconds("SERVICE_TIMEOUT", 10)
    grace = .seconds(try seconds("SERVICE_GRACE", 5))
  }
}

struct SettingsError: Error, CustomStringConvertible {
  let description: String
}
