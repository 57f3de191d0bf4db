import BluebonnetSemantics
import Testing

@Suite struct CookieDateTests {
  @Test(arguments: [
    ("Wed, 21 Oct 2065 07:28:00 GMT", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("Wed, 21-Oct-2065 07:28:00 GMT", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("Wednesday, 21-Oct-65 07:28:00 GMT", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("Wed Oct 21 07:28:00 2065", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("21 oCtober 2065 7:28:0x", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("07:28:00 2065 21 Oct", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("21 Oct 70 07:28:00", "Wed, 21 Oct 1970 07:28:00 GMT"),
    ("1 Jan 00 00:00:00", "Sat, 01 Jan 2000 00:00:00 GMT"),
  ])
  func lenientFormsAreRead(_ text: String, _ expected: String) {
    #expect(CookieDate.parse(text) == HTTPDate.parse(expected, now: 0))
  }

  @Test(arguments: [
    "", "tomorrow", "21 Oct 2065", "21 Oct 2065 25:00:00", "31 Feb 2065 00:00:00", "21 Oct 1600 00:00:00",
    "21 Oct 2065 07:60:00", "0 Oct 2065 07:00:00",
  ])
  func whatIsNoDateIsIgnored(_ text: String) {
    #expect(CookieDate.parse(text) == nil)
  }
}
