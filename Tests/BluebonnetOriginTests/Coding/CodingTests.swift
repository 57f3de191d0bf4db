// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@testable import BluebonnetOrigin

@Suite struct CodingTests {
  @Test(arguments: [
    ("a%20b", "a b"), ("%41%5a", "AZ"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("a+b", "a+b"),
    ("%F0%9F%8C%B8", "🌸"),
  ])
  func percentCoding(encoded: String, decoded: String) {
    #expect(PercentCoding.decode(encoded) == decoded)
  }

  @Test func pairs() {
    let pairs = PercentCoding.pairs("a=1&b=x+y%3D&&flag&a=2")
    #expect(pairs.map(\.name) == ["a", "b", "flag", "a"])
    #expect(pairs.map(\.value) == ["1", "x y=", "", "2"])
  }

  @Test func json() {
    let value = JSONValue.object([
      ("quote\"back\\slash", .string("line\nreturn\rtab\tbell\u{07}ü🌸")),
      ("numbers", .array([.integer(-1), .integer(.max)])),
      ("pairs", .strings([("a", "1"), ("b", "2"), ("a", "3")])),
    ])
    #expect(
      String(decoding: value.bytes, as: UTF8.self)
        == #"{"quote\"back\\slash":"line\nreturn\rtab\tbell\u0007ü🌸","#
        + #""numbers":[-1,9223372036854775807],"pairs":{"a":"3","b":"2"}}"#)
  }

  @Test func everyImageIsThere() {
    #expect(ImageFixture.all.count == 12)
    for (name, image) in ImageFixture.all { #expect(image.bytes.count > 30, "\(name)") }
    #expect(ImageFixture.all["png"]?.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
  }
}
