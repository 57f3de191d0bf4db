// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct URLLoadingHeadersTests {
  private let url = URL(string: "http://localhost/")!

  @Test func requestKeepsOrder() {
    var request = URLRequest(url: url)
    let names = (0..<20).map { "X-\($0)" }
    request.headers = HTTPHeaders(names.map { HTTPHeader(name: $0, value: "v") })
    #expect(request.headers.map(\.name) == names)
    request.headers.add(name: "x-3", value: "w")
    #expect(request.value(forHTTPHeaderField: "X-3") == "w")
    request.headers = [:]
    #expect(request.headers.isEmpty)
  }

  @Test func response() throws {
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["A": "1", "B": "2"]))
    #expect(response.headers.description == "A: 1\nB: 2")
  }

  @Test func configuration() {
    let configuration = URLSessionConfiguration.ephemeral
    #expect(configuration.headers.isEmpty)
    configuration.headers = ["A": "1"]
    #expect(configuration.headers["a"] == "1")
    #expect(URLSessionConfiguration.af.default.headers.sorted() == HTTPHeaders.default.sorted())
    #expect(URLSessionConfiguration.af.ephemeral.headers.sorted() == HTTPHeaders.default.sorted())
  }

  /// A part of a coded body cannot be decoded, and the default headers were not chosen by the caller.
  @Test(
    arguments: [
      ([:], "br;q=1.0, gzip;q=0.9, deflate;q=0.8"), (["Range": "bytes=0-1"], "identity"),
      (["Range": "bytes=0-1", "Accept-Encoding": "gzip"], "gzip"),
    ] as [(HTTPHeaders, String)]) func partsAreAskedForWithoutTheDefaultCodings(
      _ headers: HTTPHeaders, _ expected: String
    ) async
  {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.headers = .default
    let session = Session(configuration: configuration)
    _ = await session.request(origin.baseURL + "/get", headers: headers).serializingData().response
    #expect(origin.requests.first?.values("Accept-Encoding") == [expected])
  }
}
