// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct RegistrationTableTests {
  final class Handler: ReadinessHandler {
    func ready(_ readiness: Readiness) {}
  }

  @Test func findsTheHandlerInForceOnly() {
    var table = RegistrationTable()
    let first = Handler()
    let second = Handler()
    let old = table.insert(first, for: 7)
    #expect(table.handler(of: old) === first)
    #expect(table.remove(old) == true)
    #expect(table.handler(of: old) == nil)
    let new = table.insert(second, for: 7)
    #expect(table.handler(of: old) == nil, "the descriptor is the same, the generation is not")
    #expect(table.remove(old) == false)
    #expect(table.handler(of: new) === second)
  }

  @Test(arguments: [-1, 0, 6, 8, 4_000_000] as [Int32])
  func unknownDescriptorHasNoHandler(descriptor: Int32) {
    var table = RegistrationTable()
    _ = table.insert(Handler(), for: 7)
    for generation in 0..<3 as Range<UInt32> {
      #expect(table.handler(of: Registration(descriptor: descriptor, generation: generation)) == nil)
    }
  }

  @Test(arguments: [(0, 0), (7, 1), (.max, .max), (-1, 5)] as [(Int32, UInt32)])
  func travelsThroughUserData(descriptor: Int32, generation: UInt32) {
    let registration = Registration(descriptor: descriptor, generation: generation)
    #expect(Registration(userData: registration.userData) == registration)
  }
}
