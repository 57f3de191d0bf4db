// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import Testing

@testable import BluebonnetURLLoading

/// What is made of a request for the wire, again and again for one load.
@Suite struct PreparedRequestTests {
  private let heads = RequestBuilder(URLSessionConfiguration.ephemeral.settings)

  private func request(_ url: String) -> URLRequest {
    URLRequest(url: URL(string: url) ?? URL(filePath: "/"))
  }

  /// A request that could not be put into its wire form must not go out as the one before it.
  @Test func whatCannotBePreparedReplacesWhatCould() {
    var prepared = PreparedRequest()
    prepared.prepare(request("http://one.test/"), body: .none, RequestCredentials(), heads)
    #expect(prepared.exchange != nil && prepared.failure == nil)
    prepared.prepare(request("ftp://two.test/"), body: .none, RequestCredentials(), heads)
    #expect(prepared.exchange == nil)
    #expect(prepared.failure?.code == .unsupportedURL)
    prepared.prepare(request("http://three.test/"), body: .none, RequestCredentials(), heads)
    #expect(prepared.exchange?.route.host == "three.test")
    #expect(prepared.failure == nil)
  }

  @Test func norDoesABodyThatCannotBeRead() throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all")
    let task = session.uploadTask(with: request("http://one.test/"), fromFile: nowhere)
    var prepared = PreparedRequest()
    prepared.prepare(request("http://one.test/"), body: .none, RequestCredentials(), heads)
    prepared.prepare(for: task, request("http://one.test/"), heads)
    #expect(prepared.exchange == nil)
    #expect(prepared.failure?.code == .fileDoesNotExist)
  }

  /// Only what the caller asked for is loaded from this machine.
  @Test func whatIsLocalIsForgotten() {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    var prepared = PreparedRequest()
    prepared.prepare(for: session.dataTask(with: request("data:,hello")), heads)
    #expect(prepared.local == DataURLProtocol.self)
    prepared.prepare(request("data:,hello"), body: .none, RequestCredentials(), heads)
    #expect(prepared.local == nil)
  }
}
