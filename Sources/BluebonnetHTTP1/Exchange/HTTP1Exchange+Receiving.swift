// SPDX-License-Identifier: MIT
extension HTTP1Exchange {
  /// Takes the next action from `input[consumed...]` and advances `consumed` past it. Body ranges index `input`. On
  /// `.needsMore` bytes stay unconsumed only inside a head or a trailer section.
  ///
  /// To pause is to stop asking. Nothing is lost: actions not taken are returned when they are asked for again.
  ///
  /// - Parameters:
  ///   - input: The bytes received and not done with.
  ///   - consumed: The number of bytes done with.
  ///   - inputFollows: Whether the channel holds more behind `input`, not offered yet. At the end of the response
  ///     that is too much. Default: false.
  /// - Throws: The rule that the response breaks, and where; again at each further call. The connection must be closed.
  public mutating func receive(
    in input: Span<UInt8>, consumed: inout Int, inputFollows: Bool = false
  ) throws(HTTP1Error) -> Action {
    guard consumed >= 0, consumed <= input.count else { throw Self.outOfOrder }
    guard case .response = response else {
      return try offTurn(hasInput: consumed < input.count || inputFollows)
    }
    if !hasReceivedAny, consumed < input.count { try begin() }
    do throws(HTTP1Error) {
      switch try parser.next(in: input, consumed: &consumed) {
      case .needsMore: return .needsMore
      case .interim(let status):
        // RFC 9110 §15.2: others than 100 say nothing about the body.
        if status == 100, awaitsContinue { request = .body }
        return .interim(status: status)
      case .head:
        if !isRequestComplete { answeredEarly() }
        return .head
      case .body(let range): return .body(range)
      case .end: return end(hasInput: consumed < input.count || inputFollows)
      }
    } catch {
      fail(error)
      throw error
    }
  }

  /// The peer has ended its side, and everything that it sent has been offered.
  ///
  /// - Returns: The end, if the response is complete with that.
  /// - Throws: Where the response was cut off (RFC 9112 §8).
  public mutating func peerEnded() throws(HTTP1Error) -> Action {
    hasPeerHungUp = true
    guard case .response = response else { return try offTurn(hasInput: false) }
    do throws(HTTP1Error) {
      _ = try parser.finish()
      return end(hasInput: false)
    } catch {
      fail(error)
      throw error
    }
  }

  /// The peer is known to have ended its side, though bytes that it sent before may still be to come. The response is
  /// read all the same; the connection is not used again.
  public mutating func peerHungUp() {
    hasPeerHungUp = true
  }

  /// The caller wants no more of it: from now on the answer is the end.
  ///
  /// - Returns: Why the connection must be closed: ``CloseReason/cancelled`` unless the exchange was over.
  @discardableResult
  public mutating func cancel() -> CloseReason {
    stop(.cancelled)
  }

  mutating func stop(_ reason: CloseReason) -> CloseReason {
    switch response {
    case .ended(.close(let known)): return known
    case .failed: return .failed
    case .upgraded: return .upgraded
    case .idle, .response, .ended(.reuse):
      response = .ended(.close(reason))
      abandon(reason)
      return reason
    }
  }

  /// The first byte of a response.
  @inline(never)
  private mutating func begin() throws(HTTP1Error) {
    hasReceivedAny = true
    guard !hasSentAny else { return }
    // RFC 9112 §9.2: it cannot be meant for a request of which the server has seen nothing.
    let error = HTTP1Error(.unsolicitedResponse, offset: 0)
    fail(error)
    throw error
  }

  private mutating func fail(_ error: HTTP1Error) {
    response = .failed(error)
    abandon(.failed)
  }

  /// The final response has begun before the request was sent whole.
  @inline(never)
  private mutating func answeredEarly() {
    switch request {
    case .waiting:
      // RFC 9110 §10.1.1: the server answers without having asked for the content. What it expects next is the content
      // or the end; the end is shorter.
      abandon(.bodyNotWanted)
    case .body, .rest:
      // RFC 9112 §9.5: an error response on a connection that the server is closing means that it does not read on.
      if parser.status >= 400, !parser.keepsConnectionBehindHead { abandon(.bodyNotWanted) }
    case .idle, .complete, .abandoned: break
    }
  }

  /// The rest of the request is not sent.
  mutating func abandon(_ reason: CloseReason) {
    switch request {
    case .idle, .complete, .abandoned: return
    case .waiting, .body, .rest: break
    }
    request = .abandoned(reason)
    outgoing.removeAll()
  }

  @inline(__always)
  private mutating func end(hasInput: Bool) -> Action {
    if parser.mayKeepConnection, isRequestComplete, !hasInput, !closesConnection, !hasPeerHungUp {
      response = .ended(.reuse)
      return .end(.reuse)
    }
    return endForGood()
  }

  @inline(never)
  private mutating func endForGood() -> Action {
    // RFC 9110 §7.8: the other protocol begins behind the whole request, never in the middle of it.
    if parser.isUpgraded, mayUpgrade, isRequestComplete {
      response = .upgraded
      return .upgrade
    }
    let reason = reasonToClose
    response = .ended(.close(reason))
    abandon(reason)
    return .end(.close(reason))
  }

  /// Bytes behind the end come last: the others are known wherever the input is cut.
  private var reasonToClose: CloseReason {
    switch request {
    case .abandoned(let reason): return reason
    case .idle, .waiting, .body, .rest: return .requestIncomplete
    case .complete: break
    }
    if let reason = parser.closeReason { return reason }
    if closesConnection { return .askedByClient }
    return hasPeerHungUp ? .peerEnded : .unexpectedBytes
  }

  /// Asked while no response is to come.
  @inline(never)
  private mutating func offTurn(hasInput: Bool) throws(HTTP1Error) -> Action {
    switch response {
    case .response, .ended(.close): break
    case .upgraded: return .upgrade
    case .failed(let error): throw error
    case .idle, .ended(.reuse):
      // RFC 9112 §9.2: what comes without a request is no response.
      if hasInput {
        response = .ended(.close(.unexpectedBytes))
      } else if hasPeerHungUp {
        response = .ended(.close(.peerEnded))
      }
    }
    if case .ended(let ending) = response { return .end(ending) }
    return .needsMore
  }
}
