// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct HTTPDateTests {
  private static let now = 1_700_000_000  // 2023
  static let moment = 784_111_777

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "sun, 06 nov 1994 08:49:37 GMT",
  ])
  func allThreeFormsAreRead(_ text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == Self.moment)
  }

  @Test(arguments: [
    "", "yesterday", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Nox, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
  ])
  func otherTextIsNoDate(_ text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == nil)
  }

  @Test func aShortYearIsWithinFiftyYears() throws {
    let near = try #require(HTTPDate.parse("Monday, 06-Nov-73 08:49:37 GMT", now: Self.now))
    let far = try #require(HTTPDate.parse("Tuesday, 06-Nov-74 08:49:37 GMT", now: Self.now))
    #expect(HTTPDate.format(near).contains("2073"))
    #expect(HTTPDate.format(far).contains("1974"))
  }

  @Test func writtenDatesAreReadBack() {
    for day in stride(from: -700_000, through: 2_900_000, by: 3_331) {
      let date = day * 86_400 + (day & 65_535)
      #expect(HTTPDate.parse(HTTPDate.format(date), now: Self.now) == date)
    }
    #expect(HTTPDate.format(Self.moment) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
  ])
  func momentsAreWritten(_ seconds: Int, _ text: String) {
    #expect(HTTPDate.format(seconds) == text)
  }

  /// The calendar goes on beyond the years that can be read back.
  @Test(arguments: [Int.min, .min + 1, .min + 86_399, -62_167_219_201, 253_402_300_800, .max - 1, .max])
  func momentsThatNobodyHasSeen(_ seconds: Int) {
    let time = CivilTime(secondsSince1970: seconds)
    #expect((1...12).contains(time.month) && (1...31).contains(time.day) && (0..<24).contains(time.hour))
    // Compared without a product that overflows.
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    #expect(time.dayNumber == (rest < 0 ? days - 1 : days))
    #expect(time.hour * 3600 + time.minute * 60 + time.second == (rest < 0 ? rest + 86_400 : rest))
    #expect(HTTPDate.format(seconds).hasSuffix(" GMT"))
    // The century is near, wherever that is.
    if let date = HTTPDate.parse("Monday, 06-Nov-73 08:49:37 GMT", now: seconds) {
      #expect(abs(CivilTime(secondsSince1970: date).year - time.year) <= 50)
    }
  }

  @Test func everyDayFollowsTheOneBefore() throws {
    var previous = CivilTime(secondsSince1970: -86_400)
    for day in 0..<150_000 {
      let time = CivilTime(secondsSince1970: day * 86_400)
      #expect(time.dayNumber == day)
      #expect(time.weekday == (previous.weekday + 1) % 7)
      let isNext =
        time.day == previous.day + 1 && time.month == previous.month
        || time.day == 1
          && (time.month == previous.month + 1 || time.month == 1 && time.year == previous.year + 1)
      #expect(isNext)
      previous = time
    }
  }
}
