// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading
  import Testing

  @testable import Bluebonnet

  @Suite struct JSONEncodingTests {
    private let request = URLRequest(url: URL(string: "https://example.org/")!)

    @Test func bodies() throws {
      let encoded = try JSONEncoding(options: .sortedKeys).encode(request, with: ["b": [1, 2], "a": true])
      #expect(encoded.httpBody == Data(#"{"a":true,"b":[1,2]}"#.utf8))
      #expect(encoded.headers["Content-Type"] == "application/json")
      #expect(try JSONEncoding.default.encode(request, with: nil) == request)
      let pretty = try JSONEncoding.prettyPrinted.encode(request, with: ["a": 1])
      #expect(pretty.httpBody?.contains(UInt8(ascii: "\n")) == true)
    }

    @Test func rootsOtherThanDictionaries() throws {
      let encoded = try JSONEncoding.default.encode(request, withJSONObject: ["a", "b"])
      #expect(encoded.httpBody == Data(#"["a","b"]"#.utf8))
    }

    @Test func refusesWhatIsNoJSON() {
      let error = #expect(throws: AFError.self) {
        try JSONEncoding.default.encode(request, with: ["date": Date()])
      }
      #expect(error?.isParameterEncodingError == true)
      #expect(error?.underlyingError is JSONEncoding.Error)
      #expect(error?.underlyingError?.localizedDescription.hasPrefix("JSON is made of dictionaries") == true)
      #expect(error?.localizedDescription.contains("JSON is made of dictionaries") == true)
      #expect(JSONEncoding.Error.invalidJSONObject.localizedDescription.contains("finite numbers"))
    }

    @Test func numbersOfFoundation() {
      let encoding = URLEncoding(boolEncoding: .literal)
      func text(_ value: Any) -> String { encoding.queryComponents(fromKey: "k", value: value)[0].1 }
      #expect(text(NSNumber(value: true)) == "true")
      #expect(text(NSNumber(value: 1)) == "1")
      #expect(text(NSNumber(value: 1.0)) == "1")
      #expect(text(NSNumber(value: 1.5)) == "1.5")
      #expect(text(NSNumber(value: UInt64.max)) == "18446744073709551615")
    }
  }
#endif
