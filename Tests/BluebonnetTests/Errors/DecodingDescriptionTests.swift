// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

@testable import Bluebonnet

/// A decoding error says where in the document it is.
@Suite struct DecodingDescriptionTests {
  private struct User: Decodable, Sendable {
    struct Address: Decodable, Sendable {
      let zip: Int
    }
    let addresses: [Address]
  }

  private func failure(_ json: String, of request: URLRequest? = nil) -> AFError? {
    do {
      _ = try DecodableResponseSerializer<User>().serialize(
        request: request, response: nil, data: Data(json.utf8), error: nil)
      return nil
    } catch {
      return error.asAFError
    }
  }

  private func description(_ json: String) -> String? { failure(json)?.errorDescription }

  @Test func ofAWrongType() throws {
    let text = try #require(description(#"{"addresses": [{"zip": 1}, {"zip": "two"}]}"#))
    #expect(text.contains("at addresses[1].zip: Expected to decode Int"))
    #expect(!text.contains("couldn’t be read"))
  }

  @Test func ofAMissingKey() throws {
    let text = try #require(description(#"{"addresses": [{"zap": 1}]}"#))
    #expect(text.contains(#"at addresses[0]: there is no key "zip""#))
  }

  @Test func ofAMissingValue() throws {
    let text = try #require(description(#"{"addresses": [{"zip": null}]}"#))
    #expect(text.contains("addresses[0].zip"))
  }

  @Test func ofTheWholeDocument() throws {
    #expect(
      try #require(description("<html>")).contains(
        "The body could not be decoded: The given data was not valid JSON."))
    #expect(
      try #require(description("{}")).contains(
        #"The body could not be decoded: there is no key "addresses"."#))
  }

  /// In a log, an error stands alone.
  @Test(arguments: [
    (#"{"addresses": [{"zip": "two"}]}"#, "at addresses[0].zip: Expected to decode Int"),
    ("{}", "there is no key"),
    (#"{"addresses": [{"zip": null}]}"#, "addresses[0].zip"), ("<html>", "not valid JSON"),
  ])
  func namesTheRequest(json: String, mistake: String) throws {
    let url = try #require(URL(string: "https://me:secret@example.org/users?token=secret"))
    let error = try #require(failure(json, of: URLRequest(url: url, method: .post)))
    let text = try #require(error.errorDescription)
    #expect(text.contains(mistake))
    #expect(text.hasSuffix(" (POST https://example.org/users?…)."))
    #expect(!text.contains("secret"))
    // The decoder's own type stays, with its path, and whoever prints it reads the request, too.
    let decoding = try #require(error.underlyingError as? DecodingError)
    #expect("\(decoding)".contains("In the response to POST https://example.org/users?…"))
    #expect(!"\(decoding)".contains("secret"))
    // A response adds the name to errors without one.
    let response = DataResponse<Int, AFError>(
      request: try URLRequest(url: url, method: .post), response: nil, data: nil, metrics: nil,
      serializationDuration: 0, result: .failure(error))
    #expect(response.description.ranges(of: "POST https://example.org/users?…").count == 1)
  }
}
