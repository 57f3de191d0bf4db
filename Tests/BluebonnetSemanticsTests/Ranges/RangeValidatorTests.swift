// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct RangeValidatorTests {
  private static let modified = "Thu, 01 Jan 2026 00:00:00 GMT"
  private static let second = "Thu, 01 Jan 2026 00:00:01 GMT"
  private static let now = 1_767_300_000

  private func validator(_ tags: [String], _ modified: [String], _ dates: [String]) -> RangeValidator? {
    RangeValidator(entityTags: tags, lastModified: modified, dates: dates, now: Self.now)
  }

  @Test func aStrongTagComesFirst() {
    #expect(validator(["\"a\""], [], []) == .entityTag("\"a\""))
    #expect(validator(["\"a\""], [Self.modified], [Self.second]) == .entityTag("\"a\""))
  }

  /// RFC 9110 §13.1.5: no weak tag, and no date where there is a tag.
  @Test(arguments: [["W/\"a\""], ["a"], [""], ["\"a\"", "\"b\""], ["\"é\""]])
  func otherTagsAreNotReplacedByADate(_ tags: [String]) {
    #expect(validator(tags, [Self.modified], [Self.second]) == nil)
  }

  /// RFC 9110 §8.8.2.2.
  @Test(arguments: [
    ([modified], [second], true), ([modified], [modified], false), ([second], [modified], false),
    ([modified], [], false), ([], [second], false), ([modified], ["yesterday"], false),
    (["soon"], [second], false),
    (["Thu\u{1}, 01 Jan 2026 00:00:00 GMT"], [second], false), ([modified, modified], [second], false),
    ([modified], [second, second], false),
  ])
  func aDateHasToBeOldEnough(_ modified: [String], _ dates: [String], _ isStrong: Bool) {
    #expect(validator([], modified, dates) == (isStrong ? .lastModified(Self.modified) : nil))
  }
}
