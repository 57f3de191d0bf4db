// SPDX-License-Identifier: MIT
import BluebonnetTransport

extension HTTPClient {
  /// The time that the steps of a request may take; nil stands for no limit.
  ///
  /// A step that takes longer fails with ``HTTPClientError/Code/timedOut``. Each is more than zero, and a billion seconds at most.
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
    /// The longest silence within the response. Default: 60 s. While a streamed body is not read, no time passes.
    public var silence: Duration? = .seconds(60)
    /// From the call of a sending method to the last byte of the response, redirects included. Default: nil.
    public var total: Duration?
    /// The time that an unused connection is kept. Default: 60 s.
    public var idleConnection: Duration = .seconds(60)

    /// All defaults.
    public init() {}
  }
}

extension BluebonnetTransport.Timeouts {
  /// - Throws: For a value that is no length of time, by the member's name.
  init(_ timeouts: HTTPClient.Timeouts) throws(HTTPClientError) {
    self.init(
      waiting: try timeouts.waiting?.nanoseconds("waiting"),
      connect: try timeouts.connecting?.nanoseconds("connecting"),
      handshake: try timeouts.securing?.nanoseconds("securing"),
      sending: try timeouts.sending?.nanoseconds("sending"),
      firstByte: try timeouts.response?.nanoseconds("response"),
      betweenBytes: try timeouts.silence?.nanoseconds("silence"))
  }
}

extension Duration {
  /// - Parameter member: Of `HTTPClient.Timeouts`, which the error names.
  func nanoseconds(_ member: String) throws(HTTPClientError) -> UInt64 {
    guard self > .zero, self <= .seconds(1_000_000_000) else {
      throw .invalidConfiguration("timeouts.\(member)", "it is more than zero and at most a billion seconds")
    }
    let (seconds, attoseconds) = components
    // Less than a nanosecond is one.
    return max(1, UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
  }
}
