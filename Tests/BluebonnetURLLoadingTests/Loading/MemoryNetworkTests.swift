// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Whether origins without a socket do what those with one do: what so many tests stand on.
@Suite struct MemoryNetworkTests {
  private func load(
    _ text: String, in session: URLSession = URLSession(configuration: .inMemory)
  ) async throws -> HTTPURLResponse {
    let (_, response) = try await session.data(from: try #require(URL(string: text)))
    return try #require(response as? HTTPURLResponse)
  }

  private func failure(_ text: String) async throws -> URLError.Code? {
    await #expect(throws: URLError.self) { _ = try await load(text) }?.code
  }

  @Test func endpointsScriptsAndHandlersAnswer() async throws {
    let origin = Origin.inMemory()
    origin.script("/script", .response(status: 201))
    origin.handle("/handler") { .response(status: 202, body: Array($0.path.utf8)) }
    for (path, status) in [("/get", 200), ("/script", 201), ("/handler", 202), ("/status/203", 203)] {
      #expect(try await load(origin.baseURL + path).statusCode == status)
    }
    #expect(origin.requests.map(\.path) == ["/get", "/script", "/handler", "/status/203"])
  }

  @Test func portsAreToldApart() async throws {
    let origins = [Origin.inMemory(), Origin.inMemory()]
    #expect(origins[0].port != origins[1].port)
    for origin in origins {
      #expect(try await load("http://name.test:\(origin.port)/get").statusCode == 200)
      #expect(origin.requests.count == 1)
    }
  }

  /// Whoever has connected from another loop is counted with the others.
  @Test func loopsShareAnOrigin() async throws {
    let origin = Origin.inMemory()
    let sessions = (0..<3).map { _ in
      let configuration = URLSessionConfiguration.inMemory
      configuration.eventLoop = .init(name: "memory")
      return URLSession(configuration: configuration)
    }
    for session in sessions { _ = try await load(origin.baseURL + "/get", in: session) }
    #expect(origin.connectionCount == 3)
    #expect(Set(origin.requests.map(\.connection)).count == 3)
    origin.dropConnections()
    await Eventually.expect("all are closed") { origin.openConnections == 0 }
    for session in sessions { _ = try await load(origin.baseURL + "/get", in: session) }
    #expect(origin.connectionCount == 6)
  }

  @Test(arguments: [Origin.Reception.close, .reset]) func whoIsNotServedIsGone(reception: Origin.Reception)
    async throws
  {
    let origin = Origin.inMemory()
    origin.reception = reception
    #expect(try await failure(origin.baseURL + "/get") == .networkConnectionLost)
    #expect(origin.openConnections == 0 && origin.connectionCount > 0)
    origin.reception = .serve
    #expect(try await load(origin.baseURL + "/get").statusCode == 200)
  }

  @Test func silenceIsKept() async throws {
    let origin = Origin.inMemory()
    origin.reception = .silence
    let session = URLSession(configuration: .inMemory)
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/get")))
    task.resume()
    await Eventually.expect("it is connected") { origin.openConnections == 1 }
    #expect(origin.requests.isEmpty)
    task.cancel()
    await Eventually.expect("it is gone") { origin.openConnections == 0 }
  }

  @Test func nobodyListensThere() async throws {
    let origin = Origin.inMemory()
    let address = origin.baseURL + "/get"
    _ = try await load(address)
    origin.stop()
    origin.stop()
    #expect(try await failure(address) == .cannotConnectToHost)
    #expect(try await failure("http://127.0.0.1:1/") == .cannotConnectToHost)
    #expect(try await failure("http://name.invalid:\(origin.port)/") == .cannotFindHost)
    // It speaks no TLS.
    let other = Origin.inMemory()
    #expect(try await failure("https://127.0.0.1:\(other.port)/get") == .cannotConnectToHost)
    #expect(other.connectionCount == 0)
  }

  @Test func anOriginThatIsForgottenIsGone() async throws {
    var origin: Origin? = .inMemory()
    let address = (origin?.baseURL ?? "") + "/get"
    _ = try await load(address)
    origin = nil
    #expect(try await failure(address) == .cannotConnectToHost)
  }

  @Test func whatNobodyAskedForComes() async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/half", ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".utf8)), .hang]))
    let session = URLSession(configuration: .inMemory)
    async let loaded = session.data(from: try #require(URL(string: origin.baseURL + "/half")))
    await Eventually.expect("it hangs") { origin.hangingConnections == 1 }
    let connection = try #require(origin.requests.last?.connection)
    #expect(origin.interject(Array("ok".utf8), on: connection))
    #expect(!origin.interject([1], on: connection + 1))
    #expect(try await loaded.0 == Data("ok".utf8))
  }
}
