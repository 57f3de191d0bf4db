import BluebonnetFoundation

// Limits of the wire and of the pool. A value outside the range of its setting is refused: every request of such a session
// fails with a `RefusedSetting` before anything is sent.
extension URLSessionConfiguration {
  /// Bytes that a response's head may have: its status line and all its fields, line ends included; 131,072 (128 KiB) by
  /// default, from 1 to 2,147,483,647. Each interim response has as many for itself.
  ///
  /// A response beyond that fails with `URLError.cannotParseResponse`. Node's client stops at 16 KiB, curl at 300 KiB, Go's
  /// at 1 MiB.
  public var responseHeadLimit: Int {
    get { state.withLock { $0.responseHeadLimit } }
    set { state.withLock { $0.responseHeadLimit = newValue } }
  }

  /// Bytes that one line of a response's head may have, without its end; 65,536 (64 KiB) by default, from 1 to
  /// 2,147,483,647. ``responseHeadLimit`` holds besides.
  ///
  /// A response beyond that fails with `URLError.cannotParseResponse`.
  public var responseLineLimit: Int {
    get { state.withLock { $0.responseLineLimit } }
    set { state.withLock { $0.responseLineLimit = newValue } }
  }

  /// Field lines that a response's head may have; 512 by default, from 0 to 1,000,000. As many may follow a chunked body
  /// as trailers.
  ///
  /// A response beyond that fails with `URLError.cannotParseResponse`.
  public var responseFieldLimit: Int {
    get { state.withLock { $0.responseFieldLimit } }
    set { state.withLock { $0.responseFieldLimit = newValue } }
  }

  /// The most bytes of a body that is gathered in memory, as it is handed over: for data and upload requests, tasks with
  /// completion handlers and `data(for:)`; `nil`, the default, for no limit, from 0 otherwise. Downloads and streams
  /// are not limited.
  ///
  /// A body beyond that fails the load with `URLError.dataLengthExceedsMaximum`: before any of it is read, if its length
  /// is announced, else as soon as there is too much. ``decompressionLimitInMemory`` holds besides.
  public var responseBodyLimitInMemory: Int? {
    get { state.withLock { $0.responseBodyLimitInMemory } }
    set { state.withLock { $0.responseBodyLimitInMemory = newValue } }
  }

  /// Interim (1xx) responses that may come before the final one; 32 by default, from 0 to 1,000,000.
  ///
  /// One more fails the load with `URLError.cannotParseResponse`. Go's client stops at 5.
  public var interimResponseLimit: Int {
    get { state.withLock { $0.interimResponseLimit } }
    set { state.withLock { $0.interimResponseLimit = newValue } }
  }

  /// Seconds that an unused connection is kept for further requests; 60 by default, from 0 to 1,000,000,000,
  /// with 0 closing it at once. Servers commonly keep theirs for 5 to 75 seconds.
  public var timeoutIntervalForIdleConnections: TimeInterval {
    get { state.withLock { $0.timeoutIntervalForIdleConnections } }
    set { state.withLock { $0.timeoutIntervalForIdleConnections = newValue } }
  }

  /// Seconds that a server may leave `Expect: 100-continue` without an answer before the body goes out all the same
  /// (RFC 9110 §10.1.1); 1 by default, as with curl, from 0 to 1,000,000,000. The request's time-out holds besides.
  public var timeoutIntervalForContinue: TimeInterval {
    get { state.withLock { $0.timeoutIntervalForContinue } }
    set { state.withLock { $0.timeoutIntervalForContinue = newValue } }
  }

  /// Seconds that one address of a host may keep silent before the next is tried beside it (RFC 8305 §5, *Connection
  /// Attempt Delay*); 0.25 by default, from 0.01 to 2, as §8 has it. An address that refuses is followed at once.
  public var connectionAttemptDelay: TimeInterval {
    get { state.withLock { $0.connectionAttemptDelay } }
    set { state.withLock { $0.connectionAttemptDelay = newValue } }
  }
}
