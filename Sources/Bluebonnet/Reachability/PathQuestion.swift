// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The path in question.
struct PathQuestion: Sendable {
  /// A host; nil for the internet at large.
  var host: String?
  var rule = InterfaceRule.any

  /// The path at this moment. What the name stands for may have changed since it was last asked about.
  func answer(by inquiry: inout NetworkInquiry) throws(SystemError) -> NetworkPath {
    try inquiry.path(to: host.map(NetworkDestination.init) ?? .internet, by: rule)
  }

  /// The path at this moment, asked by the calling thread; nil if the system does not let it ask.
  func answerNow() -> NetworkPath? {
    do throws(SystemError) {
      var inquiry = try NetworkInquiry()
      return try answer(by: &inquiry)
    } catch {
      return nil
    }
  }
}
