extension URLSession {
  /// The engine of a new session.
  func makeEngine() -> (any TaskEngine)? { nil }
}
