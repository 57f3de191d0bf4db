// SPDX-License-Identifier: MIT

/// The evaluator that accepted a server. It is not kept alive: one that has gone is never taken for another.
final class EvaluatorReference {
  private weak var evaluator: AnyObject?
  private let wasDefault: Bool

  /// - Parameter evaluator: Nil for the default verification.
  init(by evaluator: AnyObject?) {
    self.evaluator = evaluator
    wasDefault = evaluator == nil
  }

  func isBy(_ other: AnyObject?) -> Bool {
    guard let other else { return wasDefault }
    return evaluator === other
  }
}
