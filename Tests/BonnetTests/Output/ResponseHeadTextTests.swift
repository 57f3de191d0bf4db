// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct ResponseHeadTextTests {
  @Test(arguments: [
    ("A: b\r\n", "\u{1B}[1mA\u{1B}[0m: b\r\n"), ("HTTP/1.1 200 a:b\r\n", "HTTP/1.1 200 a:b\r\n"),
    ("\r\n", "\r\n"),
  ])
  func namesStandOut(line: String, styled: String) {
    #expect(ResponseHeadText.styled(Array(line.utf8)) == Array(styled.utf8))
  }
}
