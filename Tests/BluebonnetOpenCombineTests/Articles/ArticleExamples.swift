// SPDX-License-Identifier: MIT
#if OpenCombine
  // The code of the article *Publishers*, word for word; `PublishersExamplesTests` runs it.

  import BluebonnetOpenCombine

  enum ArticleExamples {
    struct Flower: Decodable, Sendable { let name: String }

    static func response(_ url: String) -> AnyCancellable {
      let token = AF.request(url).validate().publishDecodable(type: Flower.self).sink { response in
        print(response.result)
      }
      return token
    }

    static func name(_ url: String) -> AnyPublisher<String, Never> {
      let name = AF.request(url).validate().publishDecodable(type: Flower.self).value()
        .map(\.name)
        .replaceError(with: "unknown")
      return name.eraseToAnyPublisher()
    }

    static func file(_ url: String) -> AnyPublisher<URL, AFError> {
      let file = AF.download(url).validate().publishURL().value()
      return file
    }

    static func shown(_ url: String) -> AnyPublisher<Flower, AFError> {
      let later = DispatchQueue(label: "my-service.later")
      let shown = AF.request(url).publishDecodable(type: Flower.self).value()
        .delay(for: .milliseconds(200), scheduler: later)
        .receive(on: DispatchQueue.main)
      return shown.eraseToAnyPublisher()
    }

    static func both(_ url: String, _ other: String) -> AnyPublisher<(Flower, String), AFError> {
      let both = Publishers.CombineLatest(
        AF.request(url).publishDecodable(type: Flower.self).value(),
        AF.request(other).publishString().value())
      return both.eraseToAnyPublisher()
    }

    static func second(_ url: String, _ other: String) -> AnyPublisher<String, AFError> {
      let second = AF.request(url).publishDecodable(type: Flower.self).value()
        .flatMap { flower in
          AF.request(other, parameters: ["name": flower.name]).publishString().value()
        }
      return second.eraseToAnyPublisher()
    }

    static func size(_ url: String) -> AnyPublisher<Int, AFError> {
      let size = AF.streamRequest(url).validate().publishData().value()
        .reduce(0) { $0 + $1.count }
      return size.eraseToAnyPublisher()
    }
  }
#endif
