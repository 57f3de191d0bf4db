// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetProxies
import Testing

@testable import BluebonnetTransport

/// What is said about a failure, beside its cause.
@Suite struct FailureSituationTests {
  private func route(_ nextHop: Route.NextHop) -> Route {
    Route(isSecure: false, host: "a", port: 80, nextHop: nextHop)
  }

  @Test func aTimeOutNamesItsLimit() {
    var request = ExchangeRequest.plain(to: 80)
    request.timeouts = Timeouts(waiting: 1_500_000_000, sending: 2_000_000_000)
    var situation = FailureSituation(of: .timedOut, over: request.route)
    situation.awaitsBody = true
    situation.linesBeforeFault = [0x61]
    let waiting = TransportError(situation, during: .waitingForConnection, of: request)
    #expect(waiting.seconds == 1.5 && !waiting.awaitedBody && waiting.linesBeforeFault.isEmpty)
    let sending = TransportError(situation, during: .sending, of: request)
    #expect(sending.seconds == 2 && sending.awaitedBody)
    let other = TransportError(
      FailureSituation(of: .cancelled, over: request.route), during: .sending, of: request)
    #expect(other.seconds == nil && !other.awaitedBody)
  }

  @Test func theProxyIsBlamedForItsOwn() throws {
    let request = ExchangeRequest.plain(to: 80)
    let hop = try ProxyHop(ProxyServer(.http, host: "p", port: 3128))
    func isOfProxy(
      _ cause: TransportError.Cause, over nextHop: Route.NextHop, onItsWay: Bool = false, served: Bool = false
    ) -> Bool {
      var situation = FailureSituation(of: cause, over: route(nextHop))
      (situation.isOnItsWay, situation.isServed) = (onItsWay, served)
      return TransportError(situation, during: .sending, of: request).isOfProxy
    }
    #expect(isOfProxy(.timedOut, over: .tunnel(hop), onItsWay: true))
    #expect(!isOfProxy(.timedOut, over: .origin, onItsWay: true))
    #expect(!isOfProxy(.noResponse, over: .tunnel(hop), served: true))
    #expect(isOfProxy(.noResponse, over: .proxy(hop), served: true))
    #expect(!isOfProxy(.timedOut, over: .proxy(hop), served: true))
  }
}
