// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

/// The examples of the article *The core*, word for word.
@Suite struct ArticleExamples {
  private let origin: Origin

  init() throws { origin = try Origin.start() }

  @Test func requests() async throws {
    let url = origin.baseURL + "/post"
    do {
      let client = try HTTPClient()
      let response = try await client.send(.get(url, fields: ["Accept": "application/json"]))
      print(response.status, response.fields["Content-Type"] ?? "", response.body.count)
    }
    let client = try HTTPClient()
    let created = try await client.send(
      .post(url, fields: ["Content-Type": "application/json"], body: .text("{\"name\": \"Ann\"}")))
    #expect(created.status == 200)
    try Self.blocking(client, origin.baseURL + "/get")
  }

  private static func blocking(_ client: HTTPClient, _ url: String) throws {
    let answer = try client.sendBlocking(.get(url))
    #expect(answer.status == 200)
  }

  @Test func streams() async throws {
    let client = try HTTPClient()
    do {
      let url = origin.baseURL + "/download/100000"
      let response = try await client.stream(.get(url))
      var count = 0
      for try await piece in response.body { count += piece.count }
      #expect(count == 100_000)
    }
    let url = origin.baseURL + "/post"
    let pieces = AsyncStream<[UInt8]> { continuation in
      for _ in 0..<2 { continuation.yield([UInt8](repeating: 7, count: 1000)) }
      continuation.finish()
    }
    let response = try await client.send(.post(url, body: .stream(pieces, length: 2_000)))
    #expect(response.status == 200)
  }

  @Test func settings() throws {
    var configuration = HTTPClient.Configuration()
    configuration.trust = .file("/etc/company/authorities.pem")
    configuration.maximumBodySize = 1 << 20
    configuration.timeouts.connecting = .seconds(2)
    configuration.timeouts.total = .seconds(30)
    let careful = try HTTPClient(configuration)
    #expect(careful.configuration.maximumBodySize == 1 << 20)
  }

  @Test func errors() async throws {
    let client = try HTTPClient()
    let url = "http://127.0.0.1:\(try ClosedPort().number)/"
    do {
      _ = try await client.send(.get(url))
    } catch {
      switch error.code {
      case .timedOut, .connectionLost: print("perhaps later:", error.reason)
      case .cancelled: break
      default: print(error.code, error.fault, error.phase, error.reason)
      }
    }
  }
}
