// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetSemantics

/// The head of a final response, as far as a load decides by it.
package struct LoadHead: Sendable {
  package let status: Int
  package let fields: FieldBlock
  /// The request asked the server before it sent its body (`Expect: 100-continue`).
  package let expectsContinue: Bool

  package init(status: Int, fields: FieldBlock, expectsContinue: Bool = false) {
    (self.status, self.fields, self.expectsContinue) = (status, fields, expectsContinue)
  }
}

/// The next step of a load, when the body of an unwanted response is out of the way.
package enum NextStep: Sendable, Hashable {
  /// The request that the redirect has led to is sent.
  case follow
  /// The same request is sent with credentials for a side.
  case resend(AuthenticationSide)
  /// The same request once more, without conditions of the cache.
  case sendUnconditionally
  /// The same request once more, without `Expect`.
  case sendWithoutExpect
  /// The whole is asked for, in place of the rest of an earlier download.
  case sendForWhole
  /// The stored response answers.
  case serve
  /// All there is to load is here without it.
  case finish
}

/// The driver's next task. What is large lies elsewhere: most actions are a stage's name, and are told several times for a request.
package enum LoadAction: Sendable {
  // MARK: The request

  /// The stage is entered: it lets the request pass (``LoadMachine/requestPassed()``), or the load goes on from there.
  case enter(RequestStage)
  /// The request goes to the server.
  case send

  // MARK: The response

  /// The stage looks at the response, by the function of the machine that is there for it, or lets it pass
  /// (``LoadMachine/responsePassed()``).
  case examine(ResponseStage)
  /// The response is the load's.
  case deliver
  /// The rest of the response is read or dropped, and then the next step is taken.
  case discard(NextStep)
  /// The same, when a listener that hears what goes over the wire has heard of the response.
  case passOver(NextStep)
  /// The response may be stored under this head, and changes what is stored. It passes.
  indirect case keep(StoredHead?, CacheExchange.Change)
  /// The stored response of this index answers, and is changed.
  indirect case serve(Int, CacheServing, CacheExchange.Change)
  /// The caller is asked for a credential for an offer.
  indirect case askForCredential(QuestionLog.Question, AuthenticationOffer)
  /// The caller is asked whether the load goes where the response sends it.
  indirect case askAboutRedirect(QuestionLog.Question, RedirectPolicy.Redirect)
  /// The load fails: a challenge was not met, or the peer that made it is not believed.
  indirect case fail(AuthenticationFault)
  /// The load fails: a credential was given that fits none of the offers.
  indirect case failUnanswerable([AuthenticationOffer])
}
