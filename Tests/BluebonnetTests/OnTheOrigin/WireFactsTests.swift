// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a session adds to a request, and what it reports, as the other side sees it.
@Suite struct WireFactsTests {
  private func fields(_ reply: DataRequestTests.Reply, _ name: String) -> [String] {
    reply.headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  @Test func theDefaultFieldsAreSent() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .af.default.inMemory())
    let reply = try await session.request(origin.baseURL + "/get")
      .serializingDecodable(DataRequestTests.Reply.self).value
    #expect(fields(reply, "accept-encoding") == ["br;q=1.0, gzip;q=0.9, deflate;q=0.8"])
    #expect(fields(reply, "accept-language").first == HTTPHeaders.default["Accept-Language"])
    let agent = try #require(fields(reply, "user-agent").first)
    #expect(agent.hasSuffix(" Alamofire/5.12.0"))
    #expect(agent.contains("; Linux) "))
  }

  @Test func aRequestsFieldsCoverTheSessions() async throws {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.af.ephemeral.inMemory()
    configuration.headers.add(name: "X-Session", value: "session")
    configuration.headers.add(.userAgent("session"))
    let session = Session(configuration: configuration)
    let reply = try await session.request(
      origin.baseURL + "/get", headers: ["user-agent": "request", "X-Own": "own"]
    ).serializingDecodable(DataRequestTests.Reply.self).value
    #expect(fields(reply, "user-agent") == ["request"])
    #expect(fields(reply, "x-session") == ["session"])
    #expect(fields(reply, "x-own") == ["own"])
  }

  @Test(arguments: [(HTTPMethod.get, true), (.delete, true), (.post, false), (.put, false), (.patch, false)])
  func parametersGoWhereTheMethodWantsThem(method: HTTPMethod, inQuery: Bool) async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let url = origin.baseURL + "/\(method.rawValue.lowercased())?kept=1"
    let reply = try await session.request(
      url, method: method, parameters: ["a b": ["ä", "&"]], encoder: .urlEncodedForm
    )
    .serializingDecodable(DataRequestTests.Reply.self).value
    let form = "a%20b%5B%5D=%26&a%20b%5B%5D=%C3%A4"
    #expect(reply.url == (inQuery ? url + "&" + form : url))
    #expect((reply.data ?? "") == (inQuery ? "" : form))
    #expect(
      fields(reply, "content-type")
        == (inQuery ? [] : ["application/x-www-form-urlencoded; charset=utf-8"]))
  }

  @Test func aRedirectThatIsNotFollowedIsTheResponse() async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/moved", .text("HTTP/1.1 302 Found\r\nLocation: /get\r\nContent-Length: 5\r\n\r\nmoved"))
    let session = Session(configuration: .inMemory, redirectHandler: Redirector.doNotFollow)
    let response = await session.request(origin.baseURL + "/moved").serializingString().response
    #expect(response.response?.statusCode == 302)
    #expect(response.value == "moved")
  }

  @Test func progressIsReportedBothWays() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let body = Data(repeating: 65, count: 200_000)
    let sent = Recorder<Int64>()
    let received = Recorder<Int64>()
    let queue = DispatchQueue(label: "test.progress")
    let request = session.upload(body, to: origin.baseURL + "/post")
      .uploadProgress(queue: queue) { progress in
        sent.note(progress.completedUnitCount)
        #expect(progress.totalUnitCount == 200_000)
      }
      .downloadProgress(queue: queue) { received.note($0.completedUnitCount) }
    let response = await request.serializingData().response
    await queue.drained()
    #expect(sent.entries.last == 200_000 && sent.entries == sent.entries.sorted())
    #expect(request.uploadProgress.fractionCompleted == 1)
    let count = try #require(response.value?.count)
    #expect(received.entries.last == Int64(count))
    #expect(request.downloadProgress.fractionCompleted == 1)
  }

  @Test func anUnknownLengthIsNoTotal() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let request = session.request(origin.baseURL + "/chunked/3/1")
    _ = await request.serializingData().response
    #expect(request.downloadProgress.totalUnitCount == -1)
    #expect(request.downloadProgress.completedUnitCount == 3)
  }

  @Test(arguments: [
    ("text/plain; charset=utf-8", "ä"), ("text/plain", "Ã¤"), ("text/plain; charset=ISO-8859-1", "Ã¤"),
  ])
  func textIsReadAsTheServerSays(contentType: String, expected: String) async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/text",
      .text("HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\nContent-Length: 2\r\n\r\nä"))
    let session = Session(configuration: .inMemory)
    let request = session.request(origin.baseURL + "/text")
    #expect(await request.serializingString().response.value == expected)
    #expect(await request.serializingString(encoding: .utf8).response.value == "ä")
  }

  @Test func mediaTypesAreComparedWithoutCase() async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/text", .text("HTTP/1.1 200 OK\r\nContent-Type: Text/HTML\r\nContent-Length: 1\r\n\r\nx"))
    let session = Session(configuration: .inMemory)
    let url = origin.baseURL + "/text"
    #expect(
      await session.request(url, headers: [.accept("Text/HTML")]).validate().serializingData().response.error
        == nil)
    #expect(
      await session.request(url).validate(contentType: ["TEXT/*"]).serializingData().response.error == nil)
    let refused = await session.request(url, headers: [.accept("application/json, text/plain;q=0.5")])
      .validate().serializingData().response
    #expect(refused.error?.acceptableContentTypes == ["application/json", "text/plain;q=0.5"])
  }

  @Test func aCancelledDisposalOfTheHeadEndsWithTheHead() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let request = session.request(origin.baseURL + "/infinite")
    let response = await request.onHTTPResponse { _ in
      await Task.yield()
      return .cancel
    }.serializingData().response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(response.response?.statusCode == 200)
    #expect(response.data == nil)
  }
}
