// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct StreamPartsTests {
  private func stream<Failure: Error>(
    _ event: DataStreamRequest.Event<Int, Failure>
  ) -> DataStreamRequest.Stream<Int, Failure> {
    DataStreamRequest.Stream(
      event: event, token: DataStreamRequest.CancellationToken(request: nil), receipt: nil)
  }

  @Test func aPartHasAValue() {
    let part = stream(DataStreamRequest.Event<Int, Never>.stream(.success(7)))
    #expect(part.value == 7)
    #expect(part.result == .success(7))
    #expect(part.completion == nil)
  }

  @Test func aPartMayFail() {
    let part = stream(DataStreamRequest.Event<Int, AFError>.stream(.failure(.explicitlyCancelled)))
    #expect(part.value == nil)
    #expect(part.error?.isExplicitlyCancelledError == true)
    #expect(part.completion == nil)
  }

  @Test func theEndHasACompletion() {
    let end = stream(
      DataStreamRequest.Event<Int, AFError>.complete(
        DataStreamRequest.Completion(
          request: nil, response: nil, metrics: nil, error: .sessionDeinitialized)))
    #expect(end.value == nil && end.error == nil && end.result == nil)
    #expect(end.completion?.error?.isSessionDeinitializedError == true)
  }
}
