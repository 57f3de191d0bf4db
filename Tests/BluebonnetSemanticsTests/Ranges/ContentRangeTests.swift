// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct ContentRangeTests {
  @Test(arguments: [
    ("bytes 0-0/1", ContentRange.part(first: 0, last: 0, total: 1)),
    ("bytes 42-1233/1234", .part(first: 42, last: 1233, total: 1234)),
    ("bytes 42-1233/*", .part(first: 42, last: 1233, total: nil)),
    ("Bytes 0-1/2", .part(first: 0, last: 1, total: 2)), ("bytes */1234", .unsatisfied(total: 1234)),
    ("bytes */0", .unsatisfied(total: 0)),
    (
      "bytes 999999999999999997-999999999999999998/999999999999999999",
      .part(first: 999_999_999_999_999_997, last: 999_999_999_999_999_998, total: 999_999_999_999_999_999)
    ),
  ])
  func ranges(_ text: String, _ range: ContentRange) {
    #expect(ContentRange(text) == range)
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes 0-1", "bytes 0-1/", "bytes 1-0/2", "bytes 0-2/2", "bytes */*", "bytes -1/2",
    "bytes 0-/2", "bytes +0-1/2", "bytes 0-1/2/3", "bytes 0-1-2/3", "bytes=0-1/2", "items 0-1/2",
    "bytes 0 - 1/2",
    "bytes 0-1/2 ", "bytes 0-1/2, bytes 3-4/5", "bytes 9999999999999999999-9999999999999999999/*",
    "bytes 0x0-1/2",
    "bytes ٠-١/٢",
  ])
  func whatIsNone(_ text: String) {
    #expect(ContentRange(text) == nil)
  }
}
