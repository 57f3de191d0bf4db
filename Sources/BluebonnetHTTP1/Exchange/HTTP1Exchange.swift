// SPDX-License-Identifier: MIT

/// The client's side of one connection: a request out, its response in, and the decision whether another may follow.
///
/// A value without socket, clock or lock. Its two sides run independently of each other; the driver moves bytes
/// between it and a channel, in any order and as slowly as they like:
///
/// ```swift
/// var exchange = HTTP1Exchange()
/// try exchange.start(.ordinary, headBytes: head.count)
/// // Sending: while `nextToSend` is not `.nothing`, send what `outgoing` says and report it with `sent(_:)`.
/// // Receiving: offer what has arrived to `receive(in:consumed:)` until it answers `.needsMore` or `.end`.
/// ```
///
/// One value serves a connection for as long as it lasts:
/// ``start(_:headBytes:body:expectsContinue:closesConnection:offersUpgrade:transferCodings:)``
/// begins the next request, and allocates nothing.
///
///     sending     idle ─start─▶ waiting ─100, or time passed─▶ body ─all of it lent─▶ rest ─all sent─▶ complete
///                   │              │                            │ ▲                     ▲                 │
///                   │              │                            └─┘ a piece             │                 │
///                   ├──start, with a body that waits for nothing─▶                      │                 │
///                   ├──start, without a body────────────────────────────────────────────┘                 │
///                   ▲              └─────────────┬──────────────┴─────────────┬─────────┘                 │
///                   │                            ▼ a final response instead of 100, an error response     │
///                   │                        abandoned        that closes, or sending failed              │
///                   └─────────────────────────────────────────────────────────────────────────────────────┘ start
///
///     receiving   idle ─start─▶ response ─(interim)*─ head ─(body)*─▶ ended(reuse) ─start─▶ response
///                   │              │                           ├────▶ ended(close: reason)
///                   │              │                           └────▶ upgraded
///                   │              ├─ bytes that break a rule, or that end too soon ─▶ failed(error)
///                   │              └─ cancel, or the body failed ─▶ ended(close: reason)
///                   └─ an unsolicited byte, the peer's end ─▶ ended(close: reason), as from ended(reuse)
///
/// `reuse` is said only if the request has been sent whole, the response ended where it announced, nothing is left
/// behind its end, and neither side has said or done anything against it (RFC 9112 §9.3).
public struct HTTP1Exchange: Sendable {
  /// The way a server finds the end of a request's content (RFC 9112 §6.3). The head has to announce the same.
  public enum RequestFraming: Sendable, Hashable {
    /// No content, and no field that announces any.
    case none
    /// So many bytes, as Content-Length says.
    case length(Int)
    /// The body follows in chunks, as `Transfer-Encoding: chunked` says (RFC 9112 §7.1).
    case chunked
  }

  /// The fate of the connection.
  public enum Ending: Sendable, Hashable {
    /// Another request may be sent.
    case reuse
    /// The connection must be closed, for this reason.
    case close(CloseReason)
  }

  /// The next event on the receiving side.
  public enum Action: Sendable, Hashable {
    /// All input is read. Offer the unconsumed bytes again, with more behind them, or say that the peer has ended.
    case needsMore
    /// A 1xx response other than 101 has come; ``HTTP1Exchange/head`` holds it until more is received. After 100 the
    /// request's body may be wanted.
    case interim(status: Int)
    /// The final response's head has come: ``HTTP1Exchange/head``.
    case head
    /// These bytes of the input are content of the response.
    case body(Range<Int>)
    /// The exchange is over. Returned again if asked again, with the bytes received since taken into account: reuse may
    /// become a reason to close, never the reverse.
    case end(Ending)
    /// The connection speaks another protocol from here on, to which all unconsumed input belongs.
    case upgrade
  }

  /// The next action on the sending side.
  public enum Sending: Sendable, Hashable {
    /// A piece of the body is wanted, of so many bytes at most: give ``HTTP1Exchange/lend(_:isLast:)`` one, or say that
    /// the body has ended. Nothing is lost by sending ``HTTP1Exchange/outgoing`` first if there is none at hand.
    case piece(atMost: Int)
    /// ``HTTP1Exchange/outgoing`` waits to be sent.
    case bytes
    /// The head is sent; the body waits for 100 (Continue), a final response, or for time to pass.
    case awaitsContinue
    /// The request is sent, or given up. Which of them, ``HTTP1Exchange/isRequestComplete`` says.
    case nothing
  }

  @usableFromInline
  enum RequestState: Sendable, Equatable {
    case idle
    case waiting
    case body
    /// Everything is in `outgoing`.
    case rest
    case complete
    case abandoned(CloseReason)
  }

  enum ResponseState: Sendable, Equatable {
    case idle
    case response
    case ended(Ending)
    case upgraded
    case failed(HTTP1Error)
  }

  var parser: ResponseParser
  @usableFromInline var request = RequestState.idle
  var response = ResponseState.idle
  /// Of a counted body, the bytes not lent yet; of a chunked one, the most there can be.
  @usableFromInline var bodyRemaining = 0
  var isChunked = false
  var closesConnection = false
  var mayUpgrade = false
  var hasPeerHungUp = false

  /// The bytes waiting to be sent. Report each part that has been sent with ``sent(_:)``.
  public internal(set) var outgoing = Outgoing()
  /// Whether any byte of the request has been sent. A request of which nothing was may be sent again elsewhere, whatever
  /// its method (RFC 9112 §9.3.1).
  public internal(set) var hasSentAny = false
  /// Whether any byte has come since the request began.
  public internal(set) var hasReceivedAny = false

  /// The client's side of a connection on which nothing has been sent.
  public init(mode: ParsingMode = .strict, limits: ParserLimits = .default) {
    parser = ResponseParser(toMethod: .ordinary, mode: mode, limits: limits)
  }

  /// Begins a request. The caller keeps its head, and what it writes there must agree with what it says here.
  ///
  /// - Parameters:
  ///   - kind: What the method means for the response's end.
  ///   - headBytes: How many bytes the encoded head has.
  ///   - body: How the content is framed. Default: there is none.
  ///   - expectsContinue: The head has `Expect: 100-continue` (RFC 9110 §10.1.1). Without content it has no effect.
  ///   - closesConnection: The head has `Connection: close` (RFC 9112 §9.6).
  ///   - offersUpgrade: The head has an Upgrade field (RFC 9110 §7.8). A 101 that was not asked for ends the exchange
  ///     instead; CONNECT needs no offer.
  ///   - transferCodings: Which transfer codings the response may have; more than `chunked` only if the head has offered
  ///     them with TE (RFC 9110 §10.1.4). Default: `chunked` alone.
  /// - Throws: `outOfOrder`, the caller's fault, unless the last exchange has ended with reuse or there was none; or if
  ///   a size is out of range.
  public mutating func start(
    _ kind: RequestKind, headBytes: Int, body: RequestFraming = .none, expectsContinue: Bool = false,
    closesConnection: Bool = false, offersUpgrade: Bool = false, transferCodings: TransferCodings = .chunked
  ) throws(HTTP1Error) {
    guard mayStart, !hasPeerHungUp, headBytes > 0 else { throw Self.outOfOrder }
    var begun = RequestState.rest
    switch body {
    case .none:
      bodyRemaining = 0
      isChunked = false
    case .length(let length):
      guard length >= 0 else { throw Self.outOfOrder }
      bodyRemaining = length
      isChunked = false
      if length > 0 { begun = expectsContinue ? .waiting : .body }
    case .chunked:
      bodyRemaining = .max
      isChunked = true
      begun = expectsContinue ? .waiting : .body
    }
    request = begun
    response = .response
    self.closesConnection = closesConnection
    mayUpgrade = offersUpgrade || kind == .connect
    hasSentAny = false
    hasReceivedAny = false
    outgoing.begin(headBytes: headBytes)
    parser.reset(toMethod: kind, transferCodings: transferCodings)
  }

  /// Whether a request may begin.
  private var mayStart: Bool {
    switch response {
    case .idle: true
    case .ended(let ending): ending == .reuse
    case .response, .upgraded, .failed: false
    }
  }

  static var outOfOrder: HTTP1Error { HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
}

// MARK: - Questions

extension HTTP1Exchange {
  /// Whether the whole request has been sent.
  @inlinable
  public var isRequestComplete: Bool {
    if case .complete = request { true } else { false }
  }

  /// Whether the body waits for the server's 100 (Continue). A driver should not wait for ever, and call
  /// ``continueTimedOut()`` after, say, a second (RFC 9110 §10.1.1).
  @inlinable
  public var awaitsContinue: Bool {
    if case .waiting = request { true } else { false }
  }

  /// Why the connection must be closed, as far as it is known already; nil while it may yet be reused.
  public var closeReason: CloseReason? {
    switch response {
    case .ended(.close(let reason)): return reason
    case .failed: return .failed
    case .upgraded: return .upgraded
    case .idle, .response, .ended(.reuse): break
    }
    if case .abandoned(let reason) = request { return reason }
    return hasPeerHungUp ? .peerEnded : nil
  }

  /// The head of the last interim or final response.
  public var head: ResponseHead { parser.head }

  /// The length that Content-Length announces, also where no content follows (HEAD, 304).
  public var contentLength: Int? { parser.contentLength }

  /// The bytes of content still to come: all of them for a Content-Length, those of the current chunk, or nil
  /// where that is unknown.
  public var bytesExpected: Int? { parser.bytesExpected }

  /// The faults repaired in the response so far.
  public var repairs: Repairs { parser.repairs }

  /// The trailer fields, after the end.
  public var trailers: FieldBlock { parser.trailers }

  /// Whether there are trailer fields, after the end.
  public var hasTrailers: Bool { parser.trailers.count > 0 }
}
