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

  private func description(_ json: String) -> String? {
    do {
      _ = try DecodableResponseSerializer<User>().serialize(
        request: nil, response: nil, data: Data(json.utf8), error: nil)
      return nil
    } catch {
      return error.asAFError?.errorDescription
    }
  }

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
}
