// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetMock
import BluebonnetOrigin
import Testing

/// The examples of the article *Testing with the mock*, word for word.
@Suite struct ArticleExamples {
  @Test func answers() async throws {
    let mock = MockTransport()
    let session = Session(configuration: mock.configuration)
    mock.on("https://api.example.com/users/1", .json(["name": "Ann"]))
    let user = try await session.request("https://api.example.com/users/1")
      .serializingDecodable([String: String].self).value
    #expect(user == ["name": "Ann"])

    mock.on("/token", method: .post, .status(503), .json(["token": "secret"]))
    for status in [503, 200, 200] {
      let response = await session.request("https://api.example.com/token", method: .post).serializingData()
        .response
      #expect(response.response?.statusCode == status)
    }

    mock.on("/sum", method: .post) { request in
      let numbers = try request.decode([Int].self)
      return .json(numbers.reduce(0, +))
    }
    let sum = try await session.request(
      "https://api.example.com/sum", method: .post, parameters: [1, 2], encoder: .json
    ).serializingDecodable(Int.self).value
    #expect(sum == 3)

    let request = mock.requests.last
    #expect(request?.method == .post)
    #expect(request?.headers["Content-Type"] == "application/json")
    #expect(try request?.decode([Int].self) == [1, 2])
  }

  @Test func faults() async throws {
    let mock = MockTransport()
    let session = Session(configuration: mock.configuration)
    mock.on("/slow", .json("late").delayed(by: 0.1))
    mock.on("/dripping", .text("drop by drop", status: 200).dripping(size: 4, every: 10))
    mock.on("/broken", .json("never whole").cut(after: 60, then: .reset))
    mock.on("/silent", .silence)
    mock.on("/redirect", .status(302, headers: ["Location": "/slow"]))

    for path in ["slow", "redirect"] {
      let text = try await session.request("https://api.example.com/\(path)").serializingDecodable(
        String.self
      )
      .value
      #expect(text == "late")
    }
    let drops = try await session.request("https://api.example.com/dripping").serializingString().value
    #expect(drops == "drop by drop")
    let broken = await session.request("https://api.example.com/broken").serializingData().response
    #expect((broken.error?.underlyingError as? URLError)?.code == .networkConnectionLost)

    mock.network = .offline
    let response = await session.request("https://api.example.com/users/1").serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
    mock.network = .up

    let patient = Session(
      configuration: mock.configuration, interceptor: RetryPolicy(exponentialBackoffScale: 0.001))
    mock.on("/flaky", .status(503), .reset, .json("done"))
    let answer = try await patient.request("https://api.example.com/flaky").validate()
      .serializingDecodable(String.self).value
    #expect(answer == "done")

    let pending = session.request("https://api.example.com/silent")
    let task = pending.serializingData()
    pending.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
  }
}
