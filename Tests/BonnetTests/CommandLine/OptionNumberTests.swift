// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct OptionNumberTests {
  @Test(arguments: [("500", 500), ("10k", 10_240), ("3M", 3 << 20), ("1G", 1 << 30), ("7B", 7)])
  func sizes(text: String, value: Int) throws {
    #expect(try OptionNumber.size(text) == value)
  }

  @Test(arguments: ["", "k", "-1", "1x", "99999999999G", "1.5k"])
  func whatIsNoSize(text: String) {
    #expect(throws: CommandError.self) { try OptionNumber.size(text) }
  }

  @Test func seconds() throws {
    #expect(try OptionNumber.seconds("2.5") == 2.5)
    #expect(try OptionNumber.seconds(".5") == 0.5)
    #expect(try OptionNumber.seconds("0") == nil)
    for text in ["soon", "-1", "inf", "nan", "1e99", ""] {
      #expect(throws: CommandError.self) { try OptionNumber.seconds(text) }
    }
  }

  @Test func intervals() throws {
    #expect(try OptionNumber.interval("2/s") == .milliseconds(500))
    #expect(try OptionNumber.interval("3/m") == .seconds(20))
    #expect(try OptionNumber.interval("1") == .seconds(3_600))
    for text in ["", "0/s", "x/s", "1/y", "1/s/s"] {
      #expect(throws: CommandError.self) { try OptionNumber.interval(text) }
    }
  }

  @Test(arguments: [
    ("dec 12 12:00:00 1999 GMT", 945_000_000), ("Sun, 12 Dec 1999 12:00:00 GMT", 945_000_000),
    ("Sunday, 12-Dec-99 12:00:00 GMT", 945_000_000), ("1999-12-12 12:00", 945_000_000),
    ("1999-12-12T12:00:00Z", 945_000_000), ("12 Dec 1999 13:00:00 +0100", 945_000_000),
    ("19991212 12:00:00", 945_000_000), ("1970-01-01", 0), ("Feb 29 2000", 951_782_400),
  ])
  func dates(text: String, seconds: Int) {
    #expect(DateText.seconds(text) == seconds)
  }

  @Test(arguments: ["", "file.txt", "dec 12", "12:00", "32 Dec 1999", "1999-13-01", "12 Dec 1999 25:00"])
  func whatIsNoDate(text: String) {
    #expect(DateText.seconds(text) == nil)
  }
}
