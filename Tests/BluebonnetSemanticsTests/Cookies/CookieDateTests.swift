// SPDX-License-Identifier: MIT
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
    // The first token that fits a part wins, and whatever follows it in the token is passed over.
    ("21 Oct Nov 2065 2066 07:28:00 08:00:00 22", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("21st Oct\u{301}ober 2065AD 7:28:00pm", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("21/Oct/2065,07:28:00", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("Oct!21#2065\t07:28:00@+05:00", "Wed, 21 Oct 2065 07:28:00 GMT"),
    ("  21 OCT 69 0:0:0 EST", "Mon, 21 Oct 2069 00:00:00 GMT"),
    ("1 Jan 1601 00:00:00", "Mon, 01 Jan 1601 00:00:00 GMT"),
    ("31 Dec 9999 23:59:59", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ("29 Feb 2064 12:00:00", "Fri, 29 Feb 2064 12:00:00 GMT"),
  ])
  func lenientFormsAreRead(_ text: String, _ expected: String) {
    #expect(CookieDate.parse(text) == HTTPDate.parse(expected, now: 0))
  }

  @Test(arguments: [
    "", "tomorrow", "21 Oct 2065", "21 Oct 2065 25:00:00", "31 Feb 2065 00:00:00", "21 Oct 1600 00:00:00",
    "21 Oct 2065 07:60:00", "0 Oct 2065 07:00:00", "21 Oct 2065 07:00:60", "21 Oct 2065 24:00:00",
    "29 Feb 2065 00:00:00", "32 Oct 2065 07:00:00", "021 Oct 2065 07:00:00", "21 Oct 20650 07:00:00",
    "21 Oct 5 07:00:00", "21 Oc 2065 07:00:00", "21 Oct 2065 007:00:00", "21 Oct 2065 07:00", "21:10:2065",
    "21 Oct 2065 07:00:000", "21 Oct 2065 07::00", "Oct 2065 07:00:00",
    "21 2065 07:00:00",
  ])
  func whatIsNoDateIsIgnored(_ text: String) {
    #expect(CookieDate.parse(text) == nil)
  }
}
