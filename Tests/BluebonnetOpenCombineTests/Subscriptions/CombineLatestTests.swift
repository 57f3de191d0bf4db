// SPDX-License-Identifier: MIT
#if OpenCombine
  import BluebonnetOpenCombine
  import OpenCombine
  import Testing

  @Suite struct CombineLatestTests {
    private struct Failed: Error, Equatable {}

    /// What a subject publishes after the other, written down.
    private func words<P: Publisher>(of publisher: P, while act: () -> Void) -> [String] {
      var words: [String] = []
      let token = publisher.sink(receiveCompletion: { words.append("\($0)") }) { words.append("\($0)") }
      act()
      token.cancel()
      return words
    }

    @Test func newestPairs() {
      let a = PassthroughSubject<Int, Never>()
      let b = PassthroughSubject<String, Never>()
      let words = words(of: a.combineLatest(b)) {
        a.send(1)
        a.send(2)
        b.send("x")
        b.send("y")
        a.send(3)
        a.send(completion: .finished)
        b.send("z")
        b.send(completion: .finished)
      }
      #expect(words == ["(2, \"x\")", "(2, \"y\")", "(3, \"y\")", "(3, \"z\")", "finished"])
    }

    @Test func oneFailureFailsBoth() {
      let a = PassthroughSubject<Int, Failed>()
      let b = PassthroughSubject<Int, Failed>()
      let words = words(of: Publishers.CombineLatest(a, b)) {
        a.send(1)
        b.send(2)
        b.send(completion: .failure(Failed()))
        a.send(3)
      }
      #expect(words == ["(1, 2)", "\(Subscribers.Completion<Failed>.failure(Failed()))"])
    }

    @Test func optionalValuesCount() {
      let words = words(of: Just(Int?.none).combineLatest(Just(Int?.some(1)))) {}
      #expect(words == ["(nil, Optional(1))", "finished"])
    }

    @Test func cancellingCancelsBoth() {
      var cancelled: [String] = []
      let a = PassthroughSubject<Int, Never>()
      let b = PassthroughSubject<Int, Never>()
      a.handleEvents(receiveCancel: { cancelled.append("a") })
        .combineLatest(b.handleEvents(receiveCancel: { cancelled.append("b") }))
        .sink { _ in }
        .cancel()
      #expect(cancelled.sorted() == ["a", "b"])
    }
  }
#endif
