import Testing

/// Waits for what another thread or process is about to make true.
public enum Eventually {
  /// Looks every few milliseconds, for five minutes at most: on a busy, instrumented build, a minute is not long. Then the expectation has failed.
  public static func expect(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: @Sendable () -> Bool
  ) async {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
      if condition() { return }
      try? await Task.sleep(for: .milliseconds(5))
    }
    #expect(condition(), what, sourceLocation: sourceLocation)
  }
}
