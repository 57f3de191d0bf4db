// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

@testable import Bluebonnet

/// A value, an encoder, and the form they make.
struct FormRow: CustomTestStringConvertible, Sendable {
  var name: String
  var value: any Encodable & Sendable
  var encoder = URLEncodedFormEncoder()
  var form: String

  var testDescription: String { name }
}

struct Absent: Encodable, Sendable {
  var bool: Bool?
  var string: String?
  var int: Int?
  var nested: [String: String]?
}

struct Timed: Encodable, Sendable {
  var date = Date(timeIntervalSinceReferenceDate: 123)
}

private let moment = Timed()
private let arrays = ["k": ["b", "a"]]
private let camel = ["oneTwoThree": "v"]

private let shapes: [FormRow] = [
  FormRow(name: "sorted", value: ["b": "2", "a": "1"], form: "a=1&b=2"),
  FormRow(name: "empty", value: [String: String](), form: ""),
  FormRow(name: "brackets", value: arrays, form: "k%5B%5D=a&k%5B%5D=b"),
  FormRow(
    name: "own order", value: arrays, encoder: URLEncodedFormEncoder(alphabetizeKeyValuePairs: false),
    form: "k%5B%5D=b&k%5B%5D=a"),
  FormRow(
    name: "no brackets", value: arrays, encoder: URLEncodedFormEncoder(arrayEncoding: .noBrackets),
    form: "k=a&k=b"),
  FormRow(
    name: "index", value: arrays, encoder: URLEncodedFormEncoder(arrayEncoding: .indexInBrackets),
    form: "k%5B0%5D=b&k%5B1%5D=a"),
  FormRow(
    name: "custom array", value: arrays,
    encoder: URLEncodedFormEncoder(arrayEncoding: .custom { "\($0).\($1 + 1)" }), form: "k.1=b&k.2=a"),
  FormRow(name: "nested", value: ["a": ["b": ["c": 1]]], form: "a%5Bb%5D%5Bc%5D=1"),
  FormRow(
    name: "dots", value: ["a": ["b": ["c": 1]]], encoder: URLEncodedFormEncoder(keyPathEncoding: .dots),
    form: "a.b.c=1"),
  FormRow(
    name: "custom path", value: ["a": ["b": 1]],
    encoder: URLEncodedFormEncoder(keyPathEncoding: .init { "/\($0)" }), form: "a/b=1"),
  FormRow(
    name: "array of objects", value: ["a": [["b": 1], ["b": 2]]], form: "a%5B%5D%5Bb%5D=1&a%5B%5D%5Bb%5D=2"),
  FormRow(name: "array of arrays", value: ["a": [[1], [2]]], form: "a%5B%5D%5B%5D=1&a%5B%5D%5B%5D=2"),
  FormRow(name: "empty containers", value: ["a": [], "b": ["x"]], form: "b%5B%5D=x"),
]

private let values: [FormRow] = [
  FormRow(name: "numeric", value: ["t": true, "f": false], form: "f=0&t=1"),
  FormRow(
    name: "literal", value: ["t": true, "f": false], encoder: URLEncodedFormEncoder(boolEncoding: .literal),
    form: "f=false&t=true"),
  FormRow(name: "base 64", value: ["d": Data("data".utf8)], form: "d=ZGF0YQ%3D%3D"),
  FormRow(
    name: "deferred data", value: ["d": Data([1, 2])],
    encoder: URLEncodedFormEncoder(dataEncoding: .deferredToData), form: "d%5B%5D=1&d%5B%5D=2"),
  FormRow(
    name: "custom data", value: ["d": Data([1, 2])],
    encoder: URLEncodedFormEncoder(dataEncoding: .custom { "\($0.count)" }), form: "d=2"),
  FormRow(name: "deferred date", value: moment, form: "date=123.0"),
  FormRow(
    name: "seconds", value: moment, encoder: URLEncodedFormEncoder(dateEncoding: .secondsSince1970),
    form: "date=978307323.0"),
  FormRow(
    name: "milliseconds", value: moment, encoder: URLEncodedFormEncoder(dateEncoding: .millisecondsSince1970),
    form: "date=978307323000.0"),
  FormRow(
    name: "ISO 8601", value: moment, encoder: URLEncodedFormEncoder(dateEncoding: .iso8601),
    form: "date=2001-01-01T00%3A02%3A03Z"),
  FormRow(
    name: "custom date", value: moment, encoder: URLEncodedFormEncoder(dateEncoding: .custom { _ in "now" }),
    form: "date=now"),
  FormRow(name: "decimal", value: ["d": Decimal(string: "1.50")!], form: "d=1.5"),
  FormRow(name: "double", value: ["d": 1.0], form: "d=1.0"),
  FormRow(name: "integers", value: ["a": Int8.min, "b": .max], form: "a=-128&b=127"),
  FormRow(name: "wide integer", value: ["a": UInt64.max], form: "a=18446744073709551615"),
]

private let keys: [FormRow] = [
  FormRow(name: "default keys", value: camel, form: "oneTwoThree=v"),
  FormRow(
    name: "snake", value: camel, encoder: URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase),
    form: "one_two_three=v"),
  FormRow(
    name: "kebab", value: camel, encoder: URLEncodedFormEncoder(keyEncoding: .convertToKebabCase),
    form: "one-two-three=v"),
  FormRow(
    name: "capitalized", value: camel, encoder: URLEncodedFormEncoder(keyEncoding: .capitalized),
    form: "OneTwoThree=v"),
  FormRow(
    name: "uppercased", value: camel, encoder: URLEncodedFormEncoder(keyEncoding: .uppercased),
    form: "ONETWOTHREE=v"),
  FormRow(
    name: "lowercased", value: camel, encoder: URLEncodedFormEncoder(keyEncoding: .lowercased),
    form: "onetwothree=v"),
  FormRow(
    name: "custom key", value: camel, encoder: URLEncodedFormEncoder(keyEncoding: .custom { "<\($0)>" }),
    form: "%3ConeTwoThree%3E=v"),
  FormRow(
    name: "the whole key", value: ["outerKey": ["innerKey": 1]],
    encoder: URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase), form: "outer_key%5Binner_key%5D=1"),
]

private let absence: [FormRow] = [
  FormRow(name: "drop key", value: Absent(), form: ""),
  FormRow(
    name: "drop value", value: Absent(), encoder: URLEncodedFormEncoder(nilEncoding: .dropValue),
    form: "bool=&int=&nested=&string="),
  FormRow(
    name: "null", value: Absent(), encoder: URLEncodedFormEncoder(nilEncoding: .null),
    form: "bool=null&int=null&nested=null&string=null"),
  FormRow(
    name: "custom nil", value: Absent(int: 1), encoder: URLEncodedFormEncoder(nilEncoding: .init { "-" }),
    form: "bool=-&int=1&nested=-&string=-"),
  FormRow(name: "dropped in a dictionary", value: ["a": Int?.none, "b": 1], form: "b=1"),
  FormRow(
    name: "null in a dictionary", value: ["a": Int?.none, "b": 1],
    encoder: URLEncodedFormEncoder(nilEncoding: .null), form: "a=null&b=1"),
  FormRow(name: "dropped in an array", value: ["a": [1, nil, 2]], form: "a%5B%5D=1&a%5B%5D=2"),
  FormRow(
    name: "dropped before an index", value: ["a": [nil, 1, nil, 2]],
    encoder: URLEncodedFormEncoder(arrayEncoding: .indexInBrackets), form: "a%5B0%5D=1&a%5B1%5D=2"),
]

private let escapes: [FormRow] = [
  FormRow(name: "space", value: ["a b": "c d"], form: "a%20b=c%20d"),
  FormRow(
    name: "plus", value: ["a b": "c+d e"], encoder: URLEncodedFormEncoder(spaceEncoding: .plusReplaced),
    form: "a+b=c%2Bd+e"),
  FormRow(name: "separators", value: ["&=": "=&"], form: "%26%3D=%3D%26"),
  FormRow(name: "beyond ASCII", value: ["ü": "日本"], form: "%C3%BC=%E6%97%A5%E6%9C%AC"),
  FormRow(name: "controls", value: ["a": "\r\n\0"], form: "a=%0D%0A%00"),
  FormRow(
    name: "own characters", value: ["a": "a-b [x]"],
    encoder: URLEncodedFormEncoder(allowedCharacters: CharacterSet(charactersIn: "ab[]")),
    form: "a=a%2Db%20[%78]"),
]

@Suite struct URLEncodedFormEncoderTests {
  @Test(arguments: shapes + values + keys + absence + escapes) func forms(_ row: FormRow) throws {
    let form: String = try row.encoder.encode(row.value)
    #expect(form == row.form)
    let data: Data = try row.encoder.encode(row.value)
    #expect(data == Data(row.form.utf8))
  }

  @Test(arguments: [[1, 2] as any Encodable & Sendable, "text", 1, true])
  func theRootNeedsKeys(_ value: any Encodable & Sendable) {
    let error = #expect(throws: URLEncodedFormEncoder.Error.self) {
      try URLEncodedFormEncoder().encode(value) as String
    }
    #expect((error as (any Error)?)?.localizedDescription.hasPrefix("A form needs keys at its root") == true)
  }

  @Test func characters() throws {
    let encoder = URLEncodedFormEncoder()
    #expect(encoder.allowedCharacters == .afURLQueryAllowed)
    encoder.allowedCharacters = CharacterSet(charactersIn: "k")
    #expect(try encoder.encode(["k": "v"]) == "k=%76")
    // The constant table and the set say the same.
    #expect(AllowedBytes(.afURLQueryAllowed) == .urlQuery)
  }

  @Test func everyByteSurvives() throws {
    let everything = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))
    let form: String = try URLEncodedFormEncoder().encode(["k": everything])
    #expect(form.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(form.dropFirst(2).removingPercentEncoding == everything)
  }

  @Test func superAndNestedContainers() throws {
    struct Leaf: Encodable {
      enum Key: String, CodingKey { case list, object, other }
      func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        var list = root.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        var inList = list.nestedContainer(keyedBy: Key.self)
        try inList.encode("x", forKey: .other)
        var inner = list.nestedUnkeyedContainer()
        try inner.encodeNil()
        try inner.encode(2)
        try 3.encode(to: list.superEncoder())
        #expect(list.count == 4)
        var object = root.nestedContainer(keyedBy: Key.self, forKey: .object)
        try object.encodeNil(forKey: .other)
        try "up".encode(to: root.superEncoder())
        try "side".encode(to: root.superEncoder(forKey: .other))
        #expect(root.codingPath.isEmpty)
        #expect(inList.codingPath.map(\.stringValue) == ["list", "1"])
      }
    }
    let encoder = URLEncodedFormEncoder(
      alphabetizeKeyValuePairs: false, arrayEncoding: .indexInBrackets, keyPathEncoding: .dots,
      allowedCharacters: CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789.[]"))
    let form: String = try encoder.encode(Leaf())
    #expect(form == "list[0]=1&list[1].other=x&list[2][0]=2&list[3]=3&super=up&other=side")
  }

  @Test(arguments: [false, true]) func aKeyThatIsEncodedTwiceIsReplaced(alphabetical: Bool) throws {
    struct Twice: Encodable {
      enum Key: String, CodingKey { case a, b, list, object, inner }
      func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        try root.encode("first", forKey: .a)
        try root.encode(1, forKey: .b)
        try root.encode("last", forKey: .a)
        var list = root.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        // A container that is asked for again is the same one.
        list = root.nestedUnkeyedContainer(forKey: .list)
        try list.encode(2)
        var object = root.nestedContainer(keyedBy: Key.self, forKey: .object)
        try object.encode(1, forKey: .inner)
        object = root.nestedContainer(keyedBy: Key.self, forKey: .object)
        try object.encode(2, forKey: .inner)
      }
    }
    let form: String = try URLEncodedFormEncoder(
      alphabetizeKeyValuePairs: alphabetical, arrayEncoding: .noBrackets, keyPathEncoding: .dots
    ).encode(Twice())
    #expect(form == "a=last&b=1&list=1&list=2&object.inner=2")
  }

  @Test func manyKeysAreReplacedToo() throws {
    struct Many: Encodable {
      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        for round in 0..<2 {
          for number in 0..<50 {
            try root.encode(round, forKey: try #require(Key(stringValue: "k\(number)")))
          }
        }
      }
    }
    let form: String = try URLEncodedFormEncoder(alphabetizeKeyValuePairs: false).encode(Many())
    #expect(form == (0..<50).map { "k\($0)=1" }.joined(separator: "&"))
  }

  @Test func aSuperclassWritesBesideItsSubclass() throws {
    class Base: Encodable {
      var id = 1
      var name = "base"
    }
    final class Derived: Base {
      enum Key: String, CodingKey { case id, extra }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(2, forKey: .id)
        try container.encode("x", forKey: .extra)
        try super.encode(to: container.superEncoder())
      }
    }
    let form: String = try URLEncodedFormEncoder().encode(Derived())
    #expect(form == "extra=x&id=1&name=base")
  }

  /// Whichever of a superclass and a container is there first, and whichever writes first.
  @Test(arguments: 0..<4) func aSuperclassJoinsAContainerOfTheSameKey(order: Int) throws {
    struct Both: Encodable {
      enum Key: String, CodingKey { case both, ours, theirs }
      let order: Int
      func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        if order == 0 {
          try ["theirs": 1].encode(to: root.superEncoder(forKey: .both))
          var nested = root.nestedContainer(keyedBy: Key.self, forKey: .both)
          return try nested.encode(2, forKey: .ours)
        }
        if order == 1 {
          var nested = root.nestedContainer(keyedBy: Key.self, forKey: .both)
          try nested.encode(2, forKey: .ours)
          return try ["theirs": 1].encode(to: root.superEncoder(forKey: .both))
        }
        let parent = root.superEncoder(forKey: .both)
        var nested = root.nestedContainer(keyedBy: Key.self, forKey: .both)
        if order == 2 { try ["theirs": 1].encode(to: parent) }
        try nested.encode(2, forKey: .ours)
        if order == 3 { try ["theirs": 1].encode(to: parent) }
      }
    }
    let form: String = try URLEncodedFormEncoder(keyPathEncoding: .dots).encode(Both(order: order))
    #expect(form == "both.ours=2&both.theirs=1")
  }

  /// Elements and keys do not go together: what comes last counts.
  @Test(arguments: [(0, "both.theirs=2"), (1, "both=2"), (2, "both.theirs=2"), (3, "both=2")])
  func aSuperclassReplacesWhatItCannotJoin(order: Int, expected: String) throws {
    struct Both: Encodable {
      enum Key: String, CodingKey { case both, theirs }
      let order: Int
      func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        if order == 0 {
          var list = root.nestedUnkeyedContainer(forKey: .both)
          try list.encode(1)
          return try ["theirs": 2].encode(to: root.superEncoder(forKey: .both))
        }
        if order == 1 {
          var list = root.nestedUnkeyedContainer(forKey: .both)
          try list.encode(1)
          return try [2].encode(to: root.superEncoder(forKey: .both))
        }
        let parent = root.superEncoder(forKey: .both)
        if order == 2 { try [1].encode(to: parent) }
        var nested = root.nestedContainer(keyedBy: Key.self, forKey: .both)
        try nested.encode(2, forKey: .theirs)
        if order == 3 { try [2].encode(to: parent) }
      }
    }
    let form: String = try URLEncodedFormEncoder(arrayEncoding: .noBrackets, keyPathEncoding: .dots)
      .encode(Both(order: order))
    #expect(form == expected)
  }

  @Test(arguments: [
    "oneTwoThree", "myURLProperty", "URL", "aB", "A", "a", "", "already_snake", "getHTTPResponse2",
    "version2Beta", "iOSDevice", "ABCdef", "ünïCode", "x1Y2", "endsWithURL", "lower",
  ])
  func snakeCaseIsJSONEncoders(_ key: String) throws {
    let oracle = JSONEncoder()
    oracle.keyEncodingStrategy = .convertToSnakeCase
    struct Keyed: Encodable {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      var key: String
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: key))
      }
    }
    let json = String(decoding: try oracle.encode(Keyed(key: key)), as: UTF8.self)
    let expected = json.dropFirst(2).dropLast(4)
    #expect(URLEncodedFormEncoder.KeyEncoding.convertToSnakeCase.encode(key) == String(expected))
  }
}
