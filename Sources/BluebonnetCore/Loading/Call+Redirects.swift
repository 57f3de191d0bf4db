// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

extension Call {
  /// The request's next target by a response; nil if the response is the answer.
  func redirect(by head: ResponseHead) throws(HTTPClientError) -> Hop? {
    guard redirects.limit > 0 else { return nil }
    let step = redirects.evaluate(
      status: head.status, location: Location(of: head.fields), method: hop.method, url: hop.url)
    guard case .redirect(let redirect) = step else { return nil }
    guard !redirect.exceedsLimit else {
      throw HTTPClientError(
        .tooManyRedirects,
        "there are more than \(redirects.limit) redirects (HTTPClient.Configuration.maximumRedirects)",
        fault: .server, during: .redirecting)
    }
    return try hop.following(redirect, status: head.status)
  }

  /// Reads the rest of a redirect if that brings its connection back soon, then goes on.
  func discard(_ head: ResponseHead, of driver: RequestDriver, then next: Hop) {
    stage = .discarding(driver, then: next)
    discarded = 0
    guard Draining.isWorthwhile(status: head.status, method: hop.method, fields: head.fields) else {
      return driver.cancel()
    }
    discardTimer = loop.schedule(at: loop.now.adding(Draining.patience)) { [self] in
      discardTimer = nil
      if case .discarding(let driver, _) = stage { driver.cancel() }
    }
  }

  func discard(_ count: Int) {
    discarded += count
    if discarded > Draining.limit, case .discarding(let driver, _) = stage { driver.cancel() }
  }

  /// Sends what the redirect asks for.
  func follow(_ next: Hop) {
    if let timer = discardTimer.take() { loop.cancel(timer) }
    hop = next
    do throws(HTTPClientError) {
      if case .source(let source) = next.body, !source.rewind() {
        throw HTTPClientError(
          .requestBodyNotReplayable,
          "the body has to be sent again after a redirect, and \(source.replayObstacle ?? "cannot be")",
          during: .redirecting)
      }
      guard let client else { return }
      exchange(try client.heads.make(next))
    } catch {
      fail(error)
    }
  }
}
