// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Glibc

/// One test of `Fixtures/cache/cache-tests.json`: requests for one address, and what is to become of them.
struct CacheVector: Decodable, Sendable {
  enum Kind: String, Decodable, Sendable, CaseIterable { case required, optimal, check }

  let id: String
  private let statedKind: Kind?
  let requests: [Step]

  var kind: Kind { statedKind ?? .required }

  enum CodingKeys: String, CodingKey {
    case id, requests
    case statedKind = "kind"
  }

  /// A request, the server's answer, and what has to be true of both.
  struct Step: Decodable, Sendable {
    let method: String?
    let fields: [Field]?
    let body: String?
    let query: String?
    let cacheMode: String?
    let redirectMode: String?
    let status: Status?
    let responseFields: [Field]?
    /// Nil for the test's name; an inner nil for none.
    let responseBody: String??
    let pause: Int?
    let pausesAfter: Bool?
    let hasMagicLocations: Bool?
    let isSetup: Bool?
    let setupTests: [String]?
    let expectedType: String?
    let expectedStatus: Int?
    let expectedMethod: String?
    let expectedFields: [Field]?
    let missingFields: [Field]?
    let expectedRequestFields: [Field]?
    let expectedText: String??
    let checksBody: Bool?

    enum CodingKeys: String, CodingKey {
      case pause = "response_pause", query = "query_arg", cacheMode = "cache", redirectMode = "redirect"
      case method = "request_method", fields = "request_headers", body = "request_body"
      case status = "response_status", responseFields = "response_headers", responseBody = "response_body"
      case pausesAfter = "pause_after", hasMagicLocations = "magic_locations", isSetup = "setup"
      case setupTests = "setup_tests", expectedType = "expected_type", expectedStatus = "expected_status"
      case expectedMethod = "expected_method", expectedFields = "expected_response_headers"
      case missingFields = "expected_response_headers_missing"
      case expectedRequestFields = "expected_request_headers", expectedText = "expected_response_text"
      case checksBody = "check_body"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
        try values.decodeIfPresent(Value.self, forKey: key)
      }
      func text(_ key: CodingKeys) throws -> String?? {
        values.contains(key) ? .some(try values.decode(String?.self, forKey: key)) : nil
      }
      (method, fields, body, query) = (
        try value(.method), try value(.fields), try value(.body), try value(.query)
      )
      (cacheMode, redirectMode, status) = (
        try value(.cacheMode), try value(.redirectMode), try value(.status)
      )
      (responseFields, responseBody) = (try value(.responseFields), try text(.responseBody))
      (pause, pausesAfter) = (try value(.pause), try value(.pausesAfter))
      (hasMagicLocations, isSetup) = (try value(.hasMagicLocations), try value(.isSetup))
      (setupTests, expectedType) = (try value(.setupTests), try value(.expectedType))
      (expectedStatus, expectedMethod) = (try value(.expectedStatus), try value(.expectedMethod))
      (expectedFields, missingFields) = (try value(.expectedFields), try value(.missingFields))
      (expectedRequestFields, expectedText) = (try value(.expectedRequestFields), try text(.expectedText))
      checksBody = try value(.checksBody)
    }

    /// What the server sends and the client is to get.
    func text(of id: String) -> String { responseBody.map { $0 ?? "" } ?? id }
  }

  struct Status: Decodable, Sendable {
    let code: Int
    let reason: String

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      (code, reason) = (try values.decode(Int.self), try values.decode(String.self))
    }
  }

  /// A name with a text, with a number (which for dates are seconds from now), or with something to be greater than.
  struct Field: Decodable, Sendable {
    enum Value: Sendable {
      case text(String)
      case number(Int)
      case greater(Int)
      /// The name alone.
      case any
    }

    let name: String
    let value: Value

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        (self.name, value) = (name, .any)
        return
      }
      var values = try decoder.unkeyedContainer()
      name = try values.decode(String.self)
      if let number = try? values.decode(Int.self) {
        value = .number(number)
        return
      }
      let text = try values.decode(String.self)
      value = text == ">" ? .greater(try values.decode(Int.self)) : .text(text)
    }

    private static let dates = [
      "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
    ]

    /// The value at a moment, in seconds since 1970.
    func text(at now: Int) -> String {
      switch value {
      case .text(let text): text
      case .number(let number) where Self.dates.contains(name.lowercased()): Self.date(now + number)
      case .number(let number), .greater(let number): "\(number)"
      case .any: ""
      }
    }

    private static func date(_ seconds: Int) -> String {
      var (moment, parts) = (time_t(seconds), tm())
      gmtime_r(&moment, &parts)
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
        let length = strftime(text.baseAddress, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
  }

  static func all() throws -> [CacheVector] {
    struct Groups: Decodable {
      struct Group: Decodable { let tests: [CacheVector] }
      let groups: [Group]
    }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: root.appendingPathComponent("Fixtures/cache/cache-tests.json"))
    return try JSONDecoder().decode(Groups.self, from: data).groups.flatMap(\.tests)
  }
}
