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

  /// A wrong command line is told even with `-s`, as the parser tells of one.
  func report(_ error: CommandError) {
    guard !globals.isSilent || globals.showsErrors || error.status == .usage else { return }
    Terminal.say("bonnet: (\(error.status.rawValue)) \(error.message)\n")
  }
}
