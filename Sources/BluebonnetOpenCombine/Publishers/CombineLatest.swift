// SPDX-License-Identifier: MIT
#if OpenCombine
  import OpenCombine

  extension Publishers {
    /// Publishes the newest values of two publishers as pairs: the first pair when both have published something, and one more
    /// with each further value of either.
    ///
    /// As in Apple's framework; OpenCombine 0.14 has none of its own. Both are asked for their first value as soon as there is a
    /// subscriber. Finishes when both have finished, and fails as soon as one fails, which cancels the other.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
      /// The newest values.
      public typealias Output = (A.Output, B.Output)
      /// Either's error.
      public typealias Failure = A.Failure

      private enum Side {
        case a(A.Output)
        case b(B.Output)
      }

      /// The source of the first value of each pair.
      public let a: A
      /// The source of the second value of each pair.
      public let b: B

      /// Makes a publisher of pairs.
      ///
      /// - Parameters:
      ///   - a: Where the first value of each pair is from.
      ///   - b: Where the second value of each pair is from.
      public init(_ a: A, _ b: B) {
        self.a = a
        self.b = b
      }

      /// Attaches a subscriber, to both publishers at once.
      ///
      /// - Parameter subscriber: Is given the pairs it asks for.
      public func receive<Downstream: Subscriber>(subscriber: Downstream)
      where Downstream.Input == Output, Downstream.Failure == Failure {
        // `flatMap` merges: it calls its subscriber from one thread at a time, and keeps at most one value of each that
        // has not been asked for.
        [a.map(Side.a).eraseToAnyPublisher(), b.map(Side.b).eraseToAnyPublisher()].publisher
          .setFailureType(to: Failure.self)
          .flatMap { $0 }
          .scan((A.Output?.none, B.Output?.none)) { newest, side in
            switch side {
            case .a(let value): (value, newest.1)
            case .b(let value): (newest.0, value)
            }
          }
          .compactMap { newest in
            guard let a = newest.0, let b = newest.1 else { return nil }
            return (a, b)
          }
          .subscribe(subscriber)
      }
    }
  }

  extension Publisher {
    /// Publishes the newest values of this publisher and of another as pairs.
    ///
    /// - Parameter other: Where the second value of each pair is from.
    /// - Returns: The publisher of pairs.
    public func combineLatest<Other: Publisher>(_ other: Other) -> Publishers.CombineLatest<Self, Other>
    where Other.Failure == Failure {
      Publishers.CombineLatest(self, other)
    }
  }
#endif
