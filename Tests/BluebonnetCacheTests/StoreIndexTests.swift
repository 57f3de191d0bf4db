// SPDX-License-Identifier: MIT
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache

/// The files in a store's directory, in the order of their last use.
@Suite struct StoreIndexTests {
  private func name(_ number: Int) -> String { StoreName.hash(of: StoredSamples.key("\(number)")) }

  /// Compares with a list of keys that begins with the one to be removed next.
  @Test func theOrderIsThatOfUse() {
    for seed in 0..<8 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var index = StoreIndex()
      var model: [(name: String, head: Int64, bodies: [StoreIndex.Body])] = []
      for _ in 0..<2000 {
        let name = name(.random(in: 0..<40, using: &random))
        let known = model.firstIndex { $0.name == name }
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
          let bodies = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            StoreIndex.Body(
              number: .random(in: 0...9, using: &random), size: .random(in: 0..<9, using: &random))
          }
          let head = Int64.random(in: 0..<9, using: &random)
          let before = known.map { model[$0].bodies.reduce(model[$0].head) { $0 + $1.size } } ?? 0
          let grown = index.set(name, head: head, bodies: bodies)
          #expect(grown == bodies.reduce(head) { $0 + $1.size } - before)
          if let known { model.remove(at: known) }
          model.append((name, head, bodies))
        case 4:
          index.use(name)
          if let known { model.append(model.remove(at: known)) }
        case 5:
          index.remove(name)
          if let known { model.remove(at: known) }
        case 6:
          let number = UInt64.random(in: 0...9, using: &random)
          index.removeBody(number, of: name)
          if let known, let body = model[known].bodies.firstIndex(where: { $0.number == number }) {
            model[known].bodies.remove(at: body)
          }
        default:
          guard let next = index.next else { break }
          index.remove(next.name)
          let gone = model.removeFirst()
          #expect(next == .init(name: gone.name, bodies: gone.bodies))
        }
        #expect(index.count == model.count)
        #expect(index.contains(name) == model.contains { $0.name == name })
        #expect(index.bodies(of: name) == model.first { $0.name == name }?.bodies ?? [])
        #expect(index.next?.name == model.first?.name)
        #expect(index.size == model.reduce(0) { $1.bodies.reduce($0 + $1.head) { $0 + $1.size } })
      }
    }
  }

  @Test func namesOfAnotherKindAreNotTaken() {
    var index = StoreIndex()
    for name in ["", "lock", "tmp.0000000000000000", String(repeating: "x", count: 32)] {
      let grown = index.set(name, head: 1, bodies: [])
      #expect(grown == 0)
    }
    #expect(index.count == 0 && index.size == 0 && index.next == nil)
  }
}
