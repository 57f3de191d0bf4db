// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// Whose turn it is, as a value.
@Suite struct RequestTurnsTests {
  enum Event {
    /// Name, host, urgency in tenths.
    case join(String, String, Int)
    case leave(String), rest(String)
    case urgency(String, Int)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let limit: Int?
    let perHost: Int?
    /// Each event, and who goes because of it.
    let steps: [(Event, String)]

    init(_ text: String, _ limit: Int?, _ perHost: Int?, _ steps: [(Event, String)]) {
      (testDescription, self.limit, self.perHost, self.steps) = (text, limit, perHost, steps)
    }
  }

  static let cases: [Case] = [
    Case(
      "first come, first served", 1, nil,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 5), ""), (.join("c", "y", 5), ""), (.leave("a"), "b"),
        (.join("d", "z", 5), ""), (.leave("b"), "c"), (.leave("c"), "d"), (.leave("d"), ""),
      ]),
    Case(
      "the more urgent go first", 1, nil,
      [
        (.join("a", "x", 5), "a"), (.join("low", "x", 2), ""), (.join("mid", "x", 5), ""),
        (.join("high", "y", 8), ""), (.join("mid2", "y", 5), ""), (.leave("a"), "high"),
        (.leave("high"), "mid"), (.leave("mid"), "mid2"), (.leave("mid2"), "low"),
      ]),
    Case(
      "a busy host holds up nobody else", 3, 1,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 9), ""), (.join("c", "x", 9), ""),
        (.join("d", "y", 1), "d"), (.join("e", "z", 1), "e"), (.join("f", "w", 1), ""), (.leave("d"), "f"),
        (.leave("a"), "b"), (.leave("b"), "c"),
      ]),
    Case(
      "only hosts have a limit", nil, 2,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 5), "b"), (.join("c", "x", 5), ""),
        (.join("d", "y", 5), "d"), (.leave("b"), "c"), (.leave("c"), ""),
      ]),
    Case(
      "nothing has a limit", nil, nil,
      [(.join("a", "x", 5), "a"), (.join("b", "x", 5), "b"), (.leave("a"), ""), (.leave("b"), "")]),
    Case(
      "who leaves while waiting is not served", 1, 1,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 5), ""), (.join("c", "x", 5), ""), (.leave("b"), ""),
        (.leave("a"), "c"), (.leave("b"), ""),
      ]),
    Case(
      "who rests is passed, and keeps the place", 1, nil,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 5), ""), (.join("c", "x", 5), ""),
        (.join("d", "x", 5), ""), (.rest("b"), ""), (.leave("a"), "c"), (.join("b", "x", 5), ""),
        (.leave("c"), "b"), (.leave("b"), "d"),
      ]),
    Case(
      "who rests under way makes room", 1, nil,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 5), ""), (.rest("a"), "b"), (.join("c", "x", 5), ""),
        (.join("a", "x", 5), ""), (.leave("b"), "a"), (.leave("a"), "c"),
      ]),
    Case(
      "a redirect to another host goes before all who came later", 2, 1,
      [
        (.join("a", "x", 5), "a"), (.join("b", "y", 5), "b"), (.join("c", "y", 5), ""),
        (.join("d", "x", 5), ""), (.join("a", "y", 5), "d"), (.leave("b"), "a"), (.leave("a"), "c"),
      ]),
    Case(
      "urgency changes while waiting", 1, nil,
      [
        (.join("a", "x", 5), "a"), (.join("b", "x", 5), ""), (.join("c", "y", 5), ""),
        (.join("d", "x", 5), ""), (.urgency("d", 9), ""), (.urgency("b", 1), ""), (.urgency("b", 5), ""),
        (.urgency("a", 1), ""), (.urgency("nobody", 1), ""), (.leave("a"), "d"), (.leave("d"), "b"),
        (.leave("b"), "c"),
      ]),
  ]

  @Test(arguments: cases) func turns(_ row: Case) {
    var turns = RequestTurns<String, String>(limit: row.limit, limitPerHost: row.perHost)
    for (index, (event, expected)) in row.steps.enumerated() {
      switch event {
      case .join(let name, let host, let urgency):
        turns.join(name, to: host, urgency: Float(urgency) / 10)
      case .leave(let name): turns.leave(name)
      case .rest(let name): turns.rest(name)
      case .urgency(let name, let urgency): turns.setUrgency(Float(urgency) / 10, of: name)
      }
      var gone: [String] = []
      while let next = turns.next() { gone.append(next) }
      #expect(gone.joined(separator: " ") == expected, "step \(index)")
    }
  }

  @Test func saysWhatIsInTheWay() {
    var turns = RequestTurns<String, String>(limit: 2, limitPerHost: 1)
    turns.join("a", to: "x", urgency: 0.5)
    turns.join("b", to: "x", urgency: 0.5)
    #expect(turns.next() == "a" && turns.next() == nil)
    #expect(turns.obstacle(of: "a") == nil)
    #expect(turns.obstacle(of: "b") == .host(limit: 1))
    turns.join("c", to: "y", urgency: 0.5)
    turns.join("d", to: "z", urgency: 0.5)
    #expect(turns.next() == "c" && turns.next() == nil)
    #expect(turns.obstacle(of: "d") == .session(limit: 2))
    #expect(turns.isUnderWay("c", to: "y") && !turns.isUnderWay("c", to: "x"))
    #expect(!turns.isUnderWay("d", to: "z"))
  }

  /// Against a list that is sorted and searched from the beginning each time.
  @Test(arguments: 1...20) func isAListUnderRandomEvents(seed: UInt64) {
    struct Member {
      var host: Int
      var urgency: Float
      let number: Int
      var isWaiting: Bool
      var isUnderWay: Bool

      mutating func stand(waiting: Bool, underWay: Bool = false) {
        (isWaiting, isUnderWay) = (waiting, underWay)
      }
    }
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...6, using: &random)
    let perHost = Int.random(in: 1...3, using: &random)
    var turns = RequestTurns<Int, Int>(limit: limit, limitPerHost: perHost)
    var model: [Int: Member] = [:]
    var numbers = 0
    func expected() -> Int? {
      guard model.values.count(where: \.isUnderWay) < limit else { return nil }
      return model.filter { _, member in
        member.isWaiting
          && model.values.count { $0.isUnderWay && $0.host == member.host } < perHost
      }.min {
        $0.value.urgency != $1.value.urgency
          ? $0.value.urgency > $1.value.urgency : $0.value.number < $1.value.number
      }?.key
    }
    for _ in 0..<1_500 {
      let name = Int.random(in: 0..<30, using: &random)
      let urgency = Float(Int.random(in: 0..<3, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        let host = Int.random(in: 0..<4, using: &random)
        turns.join(name, to: host, urgency: urgency)
        var member =
          model[name]
          ?? Member(host: host, urgency: urgency, number: numbers, isWaiting: true, isUnderWay: false)
        if model[name] == nil { numbers += 1 }
        (member.host, member.urgency, member.isWaiting, member.isUnderWay) = (host, urgency, true, false)
        model[name] = member
      case 3:
        turns.rest(name)
        model[name]?.stand(waiting: false)
      case 4:
        turns.setUrgency(urgency, of: name)
        model[name]?.urgency = urgency
      default:
        turns.leave(name)
        model[name] = nil
      }
      while true {
        let next = turns.next()
        #expect(next == expected())
        guard let next else { break }
        model[next]?.stand(waiting: false, underWay: true)
      }
      #expect(turns.underWay == model.values.count(where: \.isUnderWay))
    }
    for name in model.keys { turns.leave(name) }
    #expect(turns.isEmpty && turns.underWay == 0 && turns.hostCount == 0)
  }
}
