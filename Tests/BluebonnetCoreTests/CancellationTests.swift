// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@Suite struct CancellationTests {
  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  @Test func whileItWaits() async throws {
    origin.script("/silent", .silence)
    let task = Task { [client, url = origin.baseURL + "/silent"] in try await client.send(.get(url)) }
    await Eventually.expect("it is asked") { origin.requests.count == 1 }
    task.cancel()
    let error = await #expect(throws: HTTPClientError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(error?.fault == .caller)
    #expect(error?.phase == .waiting)
    await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
  }

  @Test func beforeItBegins() async throws {
    let task = Task { [client, url = origin.baseURL + "/get"] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.send(.get(url))
    }
    let error = await #expect(throws: HTTPClientError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(origin.requests.isEmpty)
  }

  @Test func atAnyTime() async throws {
    await withTaskGroup(of: Void.self) { group in
      for turn in 0..<60 {
        group.addTask { [client, url = origin.baseURL + "/chunked/20/1"] in
          let task = Task { try await client.send(.get(url)) }
          await Pause.suspend(microseconds: turn * 300)
          task.cancel()
          switch await task.result {
          case .success(let response): #expect(response.body.count == 20)
          case .failure(let error): #expect((error as? HTTPClientError)?.code == .cancelled)
          }
        }
      }
    }
    #expect(try await client.send(.get(origin.baseURL + "/get")).status == 200)
  }

  @Test func whoeverLetsGoOfTheClientClosesItsConnections() async throws {
    do {
      let client = try HTTPClient()
      _ = try await client.send(.get(origin.baseURL + "/get"))
      #expect(origin.openConnections == 1)
    }
    await Eventually.expect("they are closed") { origin.openConnections == 0 }
  }
}
