import BluebonnetURLLoading
import Testing

@Suite struct HTTPDateTests {
  static let moment = Date(timeIntervalSince1970: 784_111_777)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "sun, 06 nov 1994 08:49:37 GMT",
  ])
  func allThreeFormsAreRead(_ text: String) {
    #expect(HTTPDate.parse(text) == Self.moment)
  }

  @Test(arguments: [
    "", "yesterday", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Nox, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
  ])
  func otherTextIsNoDate(_ text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test func aShortYearIsWithinFiftyYears() throws {
    let now = Date(timeIntervalSince1970: 1_700_000_000)  // 2023
    let near = try #require(HTTPDate.parse("Monday, 06-Nov-73 08:49:37 GMT", now: now))
    let far = try #require(HTTPDate.parse("Tuesday, 06-Nov-74 08:49:37 GMT", now: now))
    #expect(HTTPDate.format(near).contains("2073"))
    #expect(HTTPDate.format(far).contains("1974"))
  }

  @Test func writtenDatesAreReadBack() {
    for day in stride(from: -700_000, through: 2_900_000, by: 3_331) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + Double(day & 65_535))
      #expect(HTTPDate.parse(HTTPDate.format(date)) == date)
    }
    #expect(HTTPDate.format(Self.moment) == "Sun, 06 Nov 1994 08:49:37 GMT")
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
