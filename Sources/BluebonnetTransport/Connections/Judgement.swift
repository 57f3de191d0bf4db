/// Who let a server in. The judge is not kept alive: one that has gone is nobody any more, and never taken for another.
struct Judgement {
  private weak var judge: AnyObject?
  private let wasDefault: Bool

  /// - Parameter judge: Nil for the default verification.
  init(by judge: AnyObject?) {
    self.judge = judge
    wasDefault = judge == nil
  }

  func isBy(_ other: AnyObject?) -> Bool {
    guard let other else { return wasDefault }
    return judge === other
  }
}

extension Connection {
  /// Whether this judge has let the server in.
  func isJudged(by judge: AnyObject?) -> Bool {
    state.judgement?.isBy(judge) ?? false
  }
}
