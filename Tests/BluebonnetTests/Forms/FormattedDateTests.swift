// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import Testing

  @testable import Bluebonnet

  @Suite struct FormattedDateTests {
    @Test func aFormatterIsUsed() throws {
      let formatter = DateFormatter()
      formatter.dateFormat = "yyyy/MM/dd"
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      let form: String = try URLEncodedFormEncoder(dateEncoding: .formatted(formatter)).encode(Timed())
      #expect(form == "date=2001/01/01")
    }
  }
#endif
