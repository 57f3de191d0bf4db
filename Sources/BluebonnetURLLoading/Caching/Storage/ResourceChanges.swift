/// When requests have last changed resources (RFC 9111 §4.4), for as many as are worth remembering.
struct ResourceChanges {
  /// Loads last for seconds: what was changed before so many others hardly has one under way.
  static let limit = 1024

  private var moments: [StoredResponse.Key: Double] = [:]
  /// Everything counts as changed then.
  private var floor = -Double.infinity

  /// - Parameter moment: In seconds since 1970.
  mutating func note(_ key: StoredResponse.Key, at moment: Double) {
    if moments.count >= Self.limit {
      floor = moments.values.reduce(floor, max)
      moments = [:]
    }
    moments[key] = moment
  }

  /// Whether it was changed at a moment or after it, or may have been.
  func hasChanged(_ key: StoredResponse.Key, since moment: Double) -> Bool {
    moment <= max(floor, moments[key] ?? floor)
  }
}
