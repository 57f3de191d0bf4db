// SPDX-License-Identifier: MIT
import Synchronization

/// The messages on standard error, beside traces.
final class Reporter: Sendable {
  private let globals: GlobalOptions

  init(_ globals: GlobalOptions) { self.globals = globals }

  /// As with curl, `-S` brings back errors only.
  func warn(_ text: String) {
    guard !globals.isSilent else { return }
    Terminal.say("Warning: \(text)\n")
  }

  func report(_ error: CommandError) {
    guard !globals.isSilent || globals.showsErrors else { return }
    Terminal.say("bonnet: (\(error.status.rawValue)) \(error.message)\n")
  }
}
