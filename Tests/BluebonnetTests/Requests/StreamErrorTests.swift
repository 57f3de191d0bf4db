// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What becomes of a stream when one of its parts cannot be read.
@Suite struct StreamErrorTests {
  private struct Refusal: Error {}

  private struct Refusing: DataStreamSerializer {
    func serialize(_ data: Data) throws -> String { throw Refusal() }
  }

  private func end(
    cancels: Bool, _ handler: @escaping @Sendable (Result<String, AFError>) throws -> Void
  ) async -> AFError? {
    let scripted = ScriptedSession { _, _ in .reply(body: ["part"]) }
    defer { withExtendedLifetime(scripted) {} }
    let request = scripted.session.streamRequest(
      "http://host.test/", automaticallyCancelOnStreamError: cancels)
    return await withCheckedContinuation { continuation in
      request.responseStream(using: Refusing(), on: .global()) { stream in
        switch stream.event {
        case .stream(let result): try handler(result)
        case .complete(let completion): continuation.resume(returning: completion.error)
        }
      }
    }
  }

  /// Also when the part was the last one, as here.
  @Test func theRequestIsCancelledIfItsOwnerWantsThat() async {
    let parts = Recorder<String>()
    let error = await end(cancels: true) { result in
      if case .failure(let error) = result, error.underlyingError is Refusal { parts.note("refused") }
    }
    #expect(error?.isExplicitlyCancelledError == true)
    #expect(parts.entries == ["refused"])
  }

  @Test func elseItGoesOn() async {
    let error = await end(cancels: false) { _ in }
    #expect(error == nil)
  }

  @Test func whatAHandlerThrowsIsTheRequestsError() async {
    let error = await end(cancels: false) { _ in throw Refusal() }
    #expect(error?.underlyingError is Refusal)
  }
}
