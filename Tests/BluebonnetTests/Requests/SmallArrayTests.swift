// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct SmallArrayTests {
  @Test(arguments: 0...4)
  func behavesLikeAnArray(count: Int) {
    var few = SmallArray<Int>()
    for number in 0..<count { few.append(number) }
    #expect(few.all == Array(0..<count))
    #expect(few.first == few.all.first)
    #expect(few.last == few.all.last)
  }
}
