// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct AlamofireExtendedTests {
  struct Extended: AlamofireExtended, Equatable {
    var number = 1
  }

  @Test func carriesTheValue() {
    #expect(Extended(number: 3).af.type == Extended(number: 3))
    #expect(Extended.af == AlamofireExtension<Extended>.self)
  }

  @Test func versions() {
    #expect(AFInfo.version == "5.12.0")
    #expect(BluebonnetInfo.version.split(separator: ".").count == 3)
  }
}
