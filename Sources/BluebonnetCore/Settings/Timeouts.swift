extension HTTPClient {
  /// How long the steps of a request may take; nil stands for as long as they like.
  ///
  /// What takes longer is ``HTTPClientError/Code/timedOut``, with the step. Each is more than zero, and a billion seconds at most.
  public struct Timeouts: Sendable, Hashable {
    /// Until one of the connections is free that the client may have. Default: 60 s.
    public var waiting: Duration? = .seconds(60)
    /// For looking up the host and connecting together. Default: 10 s.
    public var connecting: Duration? = .seconds(10)
    /// For the TLS handshake. Default: 10 s.
    public var securing: Duration? = .seconds(10)
    /// The longest the server takes nothing of the request. Default: 60 s.
    public var sending: Duration? = .seconds(60)
    /// From the last byte of the request to the first of the response. Default: 60 s.
    public var response: Duration? = .seconds(60)
    /// The longest silence within the response. Default: 60 s. While nobody reads a streamed body, no time passes.
    public var silence: Duration? = .seconds(60)
    /// From the call of a sending method to the last byte of the response, redirects included. Default: nil.
    public var total: Duration?
    /// How long a connection is kept that nobody uses. Default: 60 s.
    public var idleConnection: Duration = .seconds(60)

    /// All defaults.
    public init() {}
  }
}
