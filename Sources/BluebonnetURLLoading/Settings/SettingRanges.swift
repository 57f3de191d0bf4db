import BluebonnetFoundation

extension URLSessionConfiguration.Values {
  /// The first limit that is outside its range.
  var limitOutOfRange: RefusedSetting? {
    RefusedSetting.check("responseHeadLimit", responseHeadLimit, 1...Int(Int32.max))
      ?? .check("responseLineLimit", responseLineLimit, 1...Int(Int32.max))
      ?? .check("responseFieldLimit", responseFieldLimit, 0...1_000_000)
      ?? .check("interimResponseLimit", interimResponseLimit, 0...1_000_000)
      ?? .check("timeoutIntervalForIdleConnections", timeoutIntervalForIdleConnections, 0...1e9)
      ?? .check("timeoutIntervalForContinue", timeoutIntervalForContinue, 0...1e9)
      ?? .check("connectionAttemptDelay", connectionAttemptDelay, 0.01...2)
  }
}

extension RefusedSetting {
  /// Nil for a value in the range; what is not a number is in none.
  fileprivate static func check<Value: Comparable>(
    _ member: String, _ value: Value, _ range: ClosedRange<Value>
  ) -> RefusedSetting? {
    if range.contains(value) { return nil }
    return RefusedSetting(
      "URLSessionConfiguration.\(member)", "is \(value)",
      instead: "set it to something from \(range.lowerBound) to \(range.upperBound)")
  }
}
