// SPDX-License-Identifier: MIT
import Synchronization

/// The messages on standard error, beside traces.
final class Reporter: Sendable {
  private let globals: GlobalOptions

  init(_ globals: GlobalOptions) { self.globals = globals }

  /// As with curl, `-S` brings back errors only.
  func warn(_ text: String) {
    guard !globals.isSilent else { return }
    Terminal.say("Warning: \(Self.harmless(text))\n")
  }

  /// A wrong command line is told even with `-s`, as the parser tells of one.
  func report(_ error: CommandError) {
    guard !globals.isSilent || globals.showsErrors || error.status == .usage else { return }
    Terminal.say("bonnet: (\(error.status.rawValue)) \(Self.harmless(error.message))\n")
  }

  /// Servers' words may be part of it: they do not steer the terminal.
  private static func harmless(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
  }
}
