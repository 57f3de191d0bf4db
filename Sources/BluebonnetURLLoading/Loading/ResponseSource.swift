// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// The source of a response: an exchange with a server, or a `URLProtocol` class in its place.
///
/// It begins when the load has made it, tells the load what comes, and says once, at the end or soon after `cancel`, that
/// there is nothing more to come (`Load.sourceEnded`). The loop is held in every call.
protocol ResponseSource: AnyObject {
  /// Its current phase.
  var phase: LoadingPhase { get }

  /// The request asked the server before it sent its body (RFC 9110 §10.1.1).
  var expectsContinue: Bool { get }

  /// Whether it is worth reading the rest of an unwanted response, because another request can follow on the same
  /// connection then (RFC 9112 §9.3).
  func isWorthDraining(_ response: HTTPURLResponse) -> Bool

  /// The body does not flow, for whatever reason.
  func hold(_ reasons: Holds)

  /// The body flows again if nothing else holds it back.
  func release(_ reasons: Holds)

  /// The task's priority is another one.
  func urgencyChanged()

  /// Ends it.
  func cancel()

  /// While bytes of the body are told: the memory that they are in, to be kept. Nil if a copy is better.
  func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer?
}

extension ResponseSource {
  func urgencyChanged() {}

  func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? { nil }
}

extension RequestDriver: ResponseSource {
  var expectsContinue: Bool { request.expectsContinue }

  func isWorthDraining(_ response: HTTPURLResponse) -> Bool {
    isSent && !request.closesConnection && response.minorVersion > 0
      && !response.fields.contains(.connection, element: "close")
  }
}
