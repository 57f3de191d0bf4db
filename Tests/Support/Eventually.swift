import Testing

/// Waits for what another thread or process is about to make true.
public enum Eventually {
  /// Looks every few milliseconds, for five seconds at most; then the expectation has failed.
  public static func expect(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: @Sendable () -> Bool
  ) async {
    for _ in 0..<1000 {
      if condition() { return }
      try? await Task.sleep(for: .milliseconds(5))
    }
    #expect(condition(), what, sourceLocation: sourceLocation)
  }
}
