// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// `data:` URLs hold what is loaded (RFC 2397).
@Suite struct DataURLTests {
  let session = URLSession(configuration: .ephemeral)

  struct Case: Sendable {
    let text: String
    let body: String
    var type = "text/plain"
    var charset: String?
  }

  @Test(arguments: [
    Case(text: "data:,hello", body: "hello", charset: "us-ascii"),
    Case(text: "data:,", body: "", charset: "us-ascii"),
    Case(text: "DATA:,a%20b%2Cc", body: "a b,c", charset: "us-ascii"),
    Case(text: "data:text/html,%3Cp%3E", body: "<p>", type: "text/html"),
    Case(text: "data:text/plain;charset=UTF-8,%C3%A4", body: "ä", charset: "utf-8"),
    Case(text: "data:;charset=utf-8;base64,w6Q=", body: "ä", charset: "utf-8"),
    Case(text: "data:application/json;base64,e30=", body: "{}", type: "application/json"),
    // Escaped, unpadded and broken lines are base64 all the same (Fetch, "forgiving-base64 decode").
    Case(text: "data:application/json;base64,e30%3D", body: "{}", type: "application/json"),
    Case(text: "data:application/json;BASE64,e30", body: "{}", type: "application/json"),
    Case(text: "data:application/json;base64,e%0A30", body: "{}", type: "application/json"),
    // A fragment is no part of it.
    Case(text: "data:,hello#there", body: "hello", charset: "us-ascii"),
    Case(text: "data:,a?b=c", body: "a?b=c", charset: "us-ascii"),
  ])
  func isLoaded(_ expected: Case) async throws {
    let url = try #require(URL(string: expected.text))
    let (data, response) = try await session.data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == expected.body)
    #expect(response.mimeType == expected.type)
    #expect(response.textEncodingName == expected.charset)
    #expect(response.expectedContentLength == Int64(data.count))
    #expect(!(response is HTTPURLResponse))
  }

  @Test(arguments: ["data:nothing", "data:;base64,*", "data:;base64,e", "data:;base64,e30=e30="])
  func whatIsNoneFails(text: String) async throws {
    let url = try #require(URL(string: text))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .badURL)
  }

  @Test func isDownloaded() async throws {
    let (file, _) = try await session.download(from: try #require(URL(string: "data:,hello")))
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file) == Data("hello".utf8))
  }

  @Test func aDelegateHearsOfIt() async throws {
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: "data:,hello"))).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.events == ["response", "data", "metrics", "complete"])
    #expect(delegate.record.data == Data("hello".utf8))
    session.invalidateAndCancel()
  }
}
