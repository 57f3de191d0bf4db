// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

/// Lifetime and age (RFC 9111 §4.2), by a clock that is an argument.
@Suite struct FreshnessTests {
  /// Sat, 01 Jan 2028 00:00:00 GMT
  static let now = 1_830_297_600

  static func date(_ offset: Int) -> String { HTTPDate.format(now + offset) }

  private func freshness(
    _ fields: [(String, String)], status: Int = 200, delay: Double = 0, at now: Double = Double(now)
  ) -> Freshness {
    let block = FieldBlock(fields)
    return Freshness(
      status: status, fields: block, directives: ResponseDirectives(block), requestTime: now - delay,
      responseTime: now)
  }

  @Test(
    arguments: [
      ([("Cache-Control", "max-age=60"), ("Expires", date(5)), ("Date", date(0))], 60, true),
      ([("Cache-Control", "max-age=0"), ("Expires", date(5))], 0, true),
      ([("Cache-Control", "max-age=x"), ("Expires", date(5))], 0, true),
      ([("Expires", date(90)), ("Date", date(0))], 90, true),
      ([("Expires", date(90)), ("Date", date(-10))], 100, true), ([("Expires", date(90))], 90, true),
      ([("Expires", date(90)), ("Date", "x")], 90, true), ([("Expires", date(-90))], 0, true),
      ([("Expires", "0")], 0, true), ([("Expires", "-1")], 0, true), ([("Expires", "")], 0, true),
      ([("Expires", date(90)), ("Expires", date(90))], 90, true),
      ([("Expires", date(90)), ("Expires", date(91))], 0, true),
      ([("Last-Modified", date(-1000)), ("Date", date(0))], 100, false),
      ([("Last-Modified", date(-1000))], 100, false),
      ([("Last-Modified", date(-900_000_000)), ("Date", date(0))], 86_400, false),
      ([("Last-Modified", date(10)), ("Date", date(0))], 0, false), ([("Last-Modified", "x")], 0, false),
      ([("Last-Modified", date(-1000)), ("Cache-Control", "max-age=x")], 0, true), ([], 0, false),
    ] as [([(String, String)], Int, Bool)])
  func lifetimes(_ fields: [(String, String)], _ lifetime: Int, _ isExplicit: Bool) {
    let freshness = freshness(fields)
    #expect(freshness.lifetime == lifetime)
    #expect(freshness.isExplicit == isExplicit)
  }

  /// RFC 9110 §15.1.
  @Test func heuristicsAreForSomeStatuses() {
    let fields = [("Last-Modified", Self.date(-1000)), ("Date", Self.date(0))]
    for status in 200..<600 {
      let isAllowed = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
      #expect(freshness(fields, status: status).lifetime == (isAllowed ? 100 : 0), "\(status)")
      #expect(freshness(fields + [("Cache-Control", "public")], status: status).lifetime == 100)
    }
  }

  /// Fields, the seconds that the response took, the seconds since, and the age.
  @Test(
    arguments: [
      ([], 0, 0, 0), ([], 2, 5, 7), ([("Date", date(-30))], 0, 5, 35), ([("Date", date(30))], 0, 5, 5),
      ([("Age", "30")], 2, 5, 37), ([("Age", "30"), ("Date", date(-100))], 2, 5, 105),
      ([("Age", "30, 9")], 0, 0, 30), ([("Age", "9"), ("Age", "30")], 0, 0, 9), ([("Age", "-9")], 0, 0, 0),
      ([("Age", "1.5")], 0, 0, 0), ([("Age", "x"), ("Age", "30")], 0, 0, 0),
      ([("Age", "99999999999999999999")], 0, 0, 2_147_483_648),
    ] as [([(String, String)], Double, Double, Double)])
  func ages(_ fields: [(String, String)], _ delay: Double, _ residence: Double, _ age: Double) {
    #expect(freshness(fields, delay: delay).age(at: Double(Self.now) + residence) == age)
  }

  @Test func aClockThatIsSetBackMakesNothingFresh() {
    let freshness = freshness([("Cache-Control", "max-age=60")])
    #expect(freshness.remainder(at: Double(Self.now) - 0.5) == 60)
    #expect(freshness.remainder(at: Double(Self.now) - 100) < 0)
    #expect(Freshness.whole(freshness.age(at: Double(Self.now) - 100)) == 1 << 31)
  }

  @Test func whatNobodyHasDatedIsTooOld() {
    let block = FieldBlock([("Cache-Control", "max-age=60")])
    let now = Double(Self.now)
    let unknown = Freshness(status: 200, fields: block, directives: ResponseDirectives(block), now: now)
    #expect(unknown.remainder(at: now) < 0)
    let dated = FieldBlock([("Cache-Control", "max-age=60"), ("Date", Self.date(-20))])
    let known = Freshness(status: 200, fields: dated, directives: ResponseDirectives(dated), now: now)
    #expect(known.age(at: now) == 20)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "sUN, 06 NOV 1994 08:49:37 gmt", "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
  ])
  func datesByTheBook(_ text: String) {
    #expect(HTTPDate.parseExactly(text, now: 1_700_000_000) == 784_111_777)
  }

  @Test func eachMonthAndDayOfTheWeekIsRead() throws {
    for day in 0..<400 {
      let moment = 1_600_000_000 + day * 86_400
      #expect(HTTPDate.parseExactly(HTTPDate.format(moment), now: moment) == moment)
      let time = CivilTime(secondsSince1970: moment)
      let name = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
      ][time.weekday]
      let words = HTTPDate.format(moment).split(separator: " ")
      let long = "\(name), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
      #expect(HTTPDate.parseExactly(long, now: moment) == moment)
    }
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
    "Sunx, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Novx 1994 08:49:37 GMT", "Sun, 06 Bfe 1994 08:49:37 GMT",
    "Su", "Sun, 06 No", "Unm, 06 Nov 1994 08:49:37 GMT", "Sundays, 06-Nov-94 08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sunday, 06-Nov-1994 08:49:37 GMT", "0", "-1", "",
  ])
  func whatIsNoDate(_ text: String) {
    #expect(HTTPDate.parseExactly(text, now: 1_700_000_000) == nil)
  }
}
