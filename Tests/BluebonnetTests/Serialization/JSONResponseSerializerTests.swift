// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading
  import Testing

  @testable import Bluebonnet

  /// Calls the deprecated serializer from tests that are not deprecated themselves.
  private protocol UntypedReading {
    func read(_ given: Given) throws -> any Sendable
  }

  private struct UntypedReader: UntypedReading {
    @available(*, deprecated)
    func read(_ given: Given) throws -> any Sendable {
      try given.serialize(with: JSONResponseSerializer())
    }
  }

  @Suite struct JSONResponseSerializerTests {
    private let reader: any UntypedReading = UntypedReader()

    @Test func objects() throws {
      let object = try reader.read(Given(data: Data(#"{"a":[1,"b",null]}"#.utf8)))
      let dictionary = try #require(object as? [String: Any])
      let array = try #require(dictionary["a"] as? [Any])
      #expect(array.count == 3)
      #expect(array[0] as? Int == 1)
      #expect(array[1] as? String == "b")
      #expect(array[2] is NSNull)
      #expect(try reader.read(Given(data: Data("7".utf8))) as? Int == 7)
    }

    @Test func emptyAndBroken() throws {
      #expect(try reader.read(Given(status: 204)) is NSNull)
      let error = #expect(throws: AFError.self) {
        try reader.read(Given(data: Data("{".utf8)))
      }
      guard case .responseSerializationFailed(.jsonSerializationFailed)? = error else {
        Issue.record("unexpected \(String(describing: error))")
        return
      }
    }
  }
#endif
